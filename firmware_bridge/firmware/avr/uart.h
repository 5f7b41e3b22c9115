/* The serial line, with a buffer each way. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_setup(void);

/* Takes the oldest byte that came, if one has. */
bool uart_take(uint8_t *byte);

/* True when a byte has come. */
bool uart_holds(void);

/* Sends a byte, waiting while the buffer is full. Interrupts have to be on. */
void uart_put(uint8_t byte);

/* Stores what the receiver has. For places with interrupts off: the receiver itself keeps no more than two bytes
 * (ATmega328P data sheet, 19.7 USART data reception). */
void uart_poll(void);

#endif
