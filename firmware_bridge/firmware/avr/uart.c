/* The serial line on USART0, 8 data bits, no parity, 1 stop bit (ATmega328P data sheet, chapter 19). */
#include "board.h"
#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#define BAUD_TOL 3 /* 115200 is 117647 with a crystal of 16 MHz, as on every Uno: 2.1 % (table 19-12) */
#include <util/setbaud.h>

enum { SIZE = 128 }; /* while the pixels are written, 2.4 ms, 250000 baud bring 60 bytes; a power of two */

static volatile uint8_t came[SIZE], came_head, came_tail;
static volatile uint8_t goes[SIZE], goes_head, goes_tail;

void uart_setup(void)
{
    UBRR0 = UBRR_VALUE;
    UCSR0A = USE_2X ? _BV(U2X0) : 0;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

static inline __attribute__((always_inline)) void store(void)
{
    uint8_t head = came_head;
    uint8_t next = (head + 1) & (SIZE - 1);
    uint8_t byte = UDR0;
    if (next != came_tail) { /* else it is lost, and the frame's CRC says so */
        came[head] = byte;
        came_head = next;
    }
}

ISR(USART_RX_vect)
{
    store();
}

void uart_poll(void)
{
    if (UCSR0A & _BV(RXC0))
        store();
}

bool uart_holds(void)
{
    return came_head != came_tail;
}

bool uart_take(uint8_t *byte)
{
    uint8_t tail = came_tail;
    if (tail == came_head)
        return false;
    *byte = came[tail];
    came_tail = (tail + 1) & (SIZE - 1);
    return true;
}

ISR(USART_UDRE_vect)
{
    uint8_t tail = goes_tail;
    if (tail == goes_head) {
        UCSR0B &= ~_BV(UDRIE0);
        return;
    }
    UDR0 = goes[tail];
    goes_tail = (tail + 1) & (SIZE - 1);
}

void uart_put(uint8_t byte)
{
    uint8_t head = goes_head;
    uint8_t next = (head + 1) & (SIZE - 1);
    while (next == goes_tail)
        ;
    goes[head] = byte;
    goes_head = next;
    UCSR0B |= _BV(UDRIE0);
}
