/* A game board with an ATmega328P that runs our firmware, cycle by cycle, on a machine that has neither.
 *
 * Of libsimavr (GPL-3: for tests only, never linked into what ships) this takes the processor with its timers,
 * watchdog and converter. The serial line and the ports are our own, for simavr's forget what matters here: a receiver
 * that overruns at the third unread byte, ten bits to a byte, and pins that hang on wires. On the pins hang
 *   - a matrix of switches with or without diodes: lines that rise through the pull-ups against their capacity, drivers
 *     that fight each other, switches that bounce; or linear halls behind multiplexers;
 *   - a strip of WS2812, which measures every edge of its data line in cycles;
 *   - a serial line to a host.
 *
 * It is used twice: as a library, in lock step with a test, through board.py; and as a program with a pty, for the
 * real pyserial, at the pace of a clock: see main() at the end.
 *
 * `struct figures` is described a second time in board.py.
 */
#define _GNU_SOURCE
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_adc.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_hex.h>

#define HERTZ 16000000
#define SIDE 8
#define QUEUE 65536 /* bytes on their way, each way */
#define EVENTS 65536
#define STRIP (83 * 3) /* bytes of the longest strip */

/* Registers of the ATmega328P by their addresses in data space (data sheet, chapter 30). */
enum {
    PINB = 0x23, DDRB, PORTB, PINC, DDRC, PORTC, PIND, DDRD, PORTD,
    MCUSR = 0x54, TIMSK1 = 0x6F, UCSR0A = 0xC0, UCSR0B = 0xC1, UBRR0L = 0xC4, UBRR0H = 0xC5, UDR0 = 0xC6,
};
enum { RXC = 0x80, UDRE = 0x20, DOR = 0x08, U2X = 0x02, RXEN = 0x10 };
enum { RX_VECTOR = 18, UDRE_VECTOR = 19 };

/* The pins: firmware_bridge/firmware/avr/board.h. */
enum { DATA = 1 << 4, LAMP = 1 << 5, MATRIX_B = 0x0F, FIRST_SELECT = 2 };

/* WS2812, in cycles: what divides a 0 from a 1, and how long a low shows what came. */
enum { DIVIDES = 10, LATCH = 4480 };

struct range { uint32_t least, most; };

struct figures {
    uint64_t sent, heard;    /* bytes, by the host and from the board */
    uint64_t overruns;       /* bytes that the receiver lost because it was not read in time */
    uint64_t deaf;           /* bytes that came while the receiver was off */
    uint64_t overwritten;    /* bytes that the firmware put into a full transmitter */
    uint64_t shorts;         /* times that a high and a low driver came to fight each other */
    uint64_t high_rows;      /* times that a row was driven high */
    uint64_t resets;
    uint64_t strips;         /* times that the strip has shown something */
    uint64_t torn;           /* of them, those that were no whole bytes */
    uint64_t shown_at;
    uint64_t lamp;
    uint64_t crashed;
    struct range high[2], low[2], period, gap, rest; /* by the bit; gap: between bytes; rest: between strips */
};

struct event { uint64_t at; uint8_t cell, closed; };

struct board {
    struct figures figures;
    avr_t *avr;
    void (*core_reset)(avr_t *);
    uint64_t until;
    /* the serial line */
    double host_bit; /* cycles */
    uint8_t coming[QUEUE], heard[QUEUE];
    uint64_t heard_at[QUEUE];
    uint32_t coming_head, coming_tail, heard_head, heard_tail;
    uint64_t line_free;
    uint8_t receiver[3], received; /* two bytes of buffer, and the one that is still in the shift register */
    uint8_t shifting, waiting;
    bool is_shifting, is_waiting;
    avr_int_vector_t *rx_vector, *udre_vector;
    /* the matrix */
    uint8_t closed[SIDE];
    uint32_t diodes;
    double rise; /* cycles: the pull-up times the capacity of a line */
    double volts[SIDE], goal[SIDE]; /* of the columns, in parts of VCC, at `since` and in the end */
    double pace[SIDE];
    uint64_t since;
    bool fighting;
    uint16_t hall[64]; /* millivolts */
    struct event events[EVENTS];
    uint32_t event_count;
    uint64_t dice;
    /* the strip */
    bool level;
    uint64_t rose, fell;
    uint32_t bits;
    uint8_t strip[STRIP], shown[STRIP];
    uint32_t shown_count;
};

static uint8_t *data(struct board *b) { return b->avr->data; }

static uint64_t now(struct board *b) { return b->avr->cycle; }

static void widen(struct range *range, uint64_t value)
{
    if (!range->most || value < range->least)
        range->least = value;
    if (value > range->most)
        range->most = value;
}

static uint32_t roll(struct board *b, uint32_t sides)
{
    b->dice ^= b->dice << 13; /* Marsaglia, "Xorshift RNGs", 2003 */
    b->dice ^= b->dice >> 7;
    b->dice ^= b->dice << 17;
    return b->dice % sides;
}

static void at(struct board *b, uint64_t cycle, avr_cycle_timer_t what)
{
    avr_cycle_timer_register(b->avr, cycle > now(b) ? cycle - now(b) : 1, what, b);
}

/* ---- The strip ---- */

static void show(struct board *b)
{
    b->shown_count = b->bits / 8;
    memcpy(b->shown, b->strip, b->shown_count);
    b->figures.torn += b->bits % 8 != 0;
    b->figures.strips += 1;
    b->figures.shown_at = b->fell + LATCH;
    b->bits = 0;
}

static bool shows(struct board *b) { return b->bits && !b->level && now(b) - b->fell >= LATCH; }

static void rises(struct board *b)
{
    uint64_t low = now(b) - b->fell;
    if (shows(b))
        show(b);
    if (low >= LATCH && b->fell)
        widen(&b->figures.rest, low);
    else if (b->bits % 8) {
        widen(&b->figures.low[b->strip[b->bits / 8] & 1], low);
        widen(&b->figures.period, now(b) - b->rose);
    } else if (b->bits)
        widen(&b->figures.gap, low);
    b->rose = now(b);
}

static void falls(struct board *b)
{
    uint64_t high = now(b) - b->rose;
    bool one = high >= DIVIDES;
    widen(&b->figures.high[one], high);
    b->fell = now(b);
    if (b->bits >= 8 * STRIP)
        return;
    uint8_t *byte = &b->strip[b->bits++ / 8];
    *byte = *byte << 1 | one;
}

static void look_at_data_pin(struct board *b)
{
    bool level = data(b)[PORTB] & data(b)[DDRB] & DATA;
    if (level == b->level)
        return;
    if (level)
        rises(b);
    else
        falls(b);
    b->level = level;
}

/* ---- The matrix ---- */

struct drivers { uint8_t low, high; }; /* a bit for each line of a side */

static struct drivers rows_of(struct board *b)
{
    uint8_t ddr = (data(b)[DDRD] >> 2) | data(b)[DDRB] << 6;
    uint8_t port = (data(b)[PORTD] >> 2) | data(b)[PORTB] << 6;
    return (struct drivers){ddr & ~port, ddr & port};
}

static uint8_t column_bits(uint8_t of_c, uint8_t of_b) { return (of_c & 0x3F) | (of_b & 0x0C) << 4; }

static struct drivers columns_of(struct board *b)
{
    uint8_t ddr = column_bits(data(b)[DDRC], data(b)[DDRB]);
    uint8_t port = column_bits(data(b)[PORTC], data(b)[PORTB]);
    return (struct drivers){ddr & ~port, ddr & port};
}

static double volts(struct board *b, int column)
{
    double part = exp(-(double)(now(b) - b->since) / b->pace[column]);
    return b->goal[column] + (b->volts[column] - b->goal[column]) * part;
}

/* A diode lets a column pull down nothing: it only lets a row pull down the column. */
static struct drivers through_diodes(struct board *b, struct drivers rows, struct drivers columns)
{
    for (int row = 0; row < SIDE; row++)
        if (rows.low >> row & 1)
            columns.low |= b->closed[row];
    return columns;
}

/* All lines that closed switches join with these columns. */
static void join(struct board *b, uint8_t *rows, uint8_t *columns)
{
    for (uint8_t before = 0; before != *columns;) {
        before = *columns;
        for (int row = 0; row < SIDE; row++)
            if (b->closed[row] & *columns) {
                *rows |= 1 << row;
                *columns |= b->closed[row];
            }
    }
}

static struct drivers through_switches(struct board *b, struct drivers rows, struct drivers columns)
{
    struct drivers all = columns;
    for (int column = 0; column < SIDE; column++) {
        uint8_t joined_rows = 0, joined = 1 << column;
        join(b, &joined_rows, &joined);
        if (joined_rows & rows.low || joined & columns.low)
            all.low |= 1 << column;
        if (joined_rows & rows.high || joined & columns.high)
            all.high |= 1 << column;
    }
    return all;
}

static void aim(struct board *b, int column, struct drivers drivers, uint8_t pulled)
{
    uint8_t bit = 1 << column;
    bool driven = (drivers.low | drivers.high) & bit;
    b->pace[column] = driven ? 0.1 : b->rise;
    if (drivers.low & bit)
        b->goal[column] = b->diodes ? 0.12 : 0;
    else if ((drivers.high | pulled) & bit)
        b->goal[column] = 1;
    else
        b->goal[column] = b->volts[column]; /* it floats */
}

/* Called when a driver or a switch has changed: works out where the columns go from here. */
static void wires_change(struct board *b)
{
    struct drivers rows = rows_of(b), columns = columns_of(b);
    struct drivers all = b->diodes ? through_diodes(b, rows, columns) : through_switches(b, rows, columns);
    uint8_t pulled = column_bits(data(b)[PORTC], data(b)[PORTB]);
    for (int column = 0; column < SIDE; column++)
        b->volts[column] = volts(b, column);
    b->since = now(b);
    for (int column = 0; column < SIDE; column++)
        aim(b, column, all, pulled);
    bool fighting = all.low & all.high;
    b->figures.shorts += fighting && !b->fighting;
    b->figures.high_rows += rows.high != 0;
    b->fighting = fighting;
}

static uint8_t read_columns(struct board *b)
{
    uint8_t bits = 0;
    for (int column = 0; column < SIDE; column++)
        bits |= (volts(b, column) >= 0.6) << column; /* VIH: data sheet, 28.2 */
    return bits;
}

/* ---- The ports ---- */

static uint8_t read_pins(struct avr_t *avr, avr_io_addr_t pin, void *param)
{
    struct board *b = param;
    uint8_t columns = read_columns(b);
    uint8_t outside = pin == PINC ? columns & 0x3F : pin == PINB ? columns >> 4 & 0x0C : 0;
    uint8_t ddr = avr->data[pin + 1], port = avr->data[pin + 2];
    return (port & ddr) | (outside & ~ddr);
}

static void set_port(struct board *b, avr_io_addr_t where, uint8_t value)
{
    uint8_t changed = data(b)[where] ^ value;
    data(b)[where] = value;
    if (where == PORTB || where == DDRB) {
        look_at_data_pin(b);
        changed &= MATRIX_B;
    }
    b->figures.lamp = (data(b)[PORTB] & data(b)[DDRB] & LAMP) != 0;
    if (changed)
        wires_change(b);
}

static void write_port(struct avr_t *avr, avr_io_addr_t where, uint8_t value, void *param)
{
    (void)avr;
    set_port(param, where, value);
}

static void write_pins(struct avr_t *avr, avr_io_addr_t pin, uint8_t value, void *param)
{
    set_port(param, pin + 2, avr->data[pin + 2] ^ value); /* a one toggles: data sheet, 13.2.2 */
}

/* ---- The halls ---- */

static void convert(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct board *b = param;
    union { uint32_t value; avr_adc_mux_t mux; } trigger = {value};
    uint32_t channel = trigger.mux.src, address = data(b)[PORTD] >> FIRST_SELECT & 15;
    (void)irq;
    if (channel < 4)
        avr_raise_irq(avr_io_getirq(b->avr, AVR_IOCTL_ADC_GETIRQ, channel), b->hall[channel * 16 + address]);
}

/* ---- The serial line ---- */

static double board_bit(struct board *b)
{
    uint32_t divisor = (data(b)[UBRR0H] & 15) << 8 | data(b)[UBRR0L];
    return (divisor + 1) * (data(b)[UCSR0A] & U2X ? 8 : 16);
}

/* Past four in a hundred, the stop bit is not where it is looked for. */
static uint8_t sampled(struct board *b, uint8_t byte)
{
    return fabs(board_bit(b) / b->host_bit - 1) > 0.04 ? byte * 7 ^ 0x5A : byte;
}

static void request(struct board *b, avr_int_vector_t *vector, bool wanted, uint8_t flag)
{
    if (wanted) {
        data(b)[UCSR0A] |= flag;
        avr_raise_interrupt(b->avr, vector);
        return;
    }
    if (vector->pending)
        avr_clear_interrupt(b->avr, vector);
    data(b)[UCSR0A] &= ~flag;
}

/* Both interrupts last as long as their cause does. */
static void request_both(struct board *b)
{
    request(b, b->rx_vector, b->received, RXC);
    request(b, b->udre_vector, !b->is_waiting, UDRE);
}

static void receive(struct board *b, uint8_t byte)
{
    if (!(data(b)[UCSR0B] & RXEN))
        b->figures.deaf++;
    else if (b->received == 3) {
        b->figures.overruns++;
        data(b)[UCSR0A] |= DOR;
    } else
        b->receiver[b->received++] = byte;
    request_both(b);
}

static avr_cycle_count_t arrives(struct avr_t *avr, avr_cycle_count_t when, void *param);

static void expect(struct board *b)
{
    if (b->coming_head == b->coming_tail || avr_cycle_timer_status(b->avr, arrives, b))
        return;
    if (b->line_free < now(b))
        b->line_free = now(b);
    b->line_free += llround(10 * b->host_bit);
    at(b, b->line_free, arrives);
}

static avr_cycle_count_t arrives(struct avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct board *b = param;
    (void)avr;
    receive(b, sampled(b, b->coming[b->coming_tail++ % QUEUE]));
    if (b->coming_head == b->coming_tail)
        return 0;
    b->line_free = when + llround(10 * b->host_bit);
    return b->line_free;
}

static avr_cycle_count_t leaves(struct avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct board *b = param;
    (void)avr;
    b->heard_at[b->heard_head % QUEUE] = when;
    b->heard[b->heard_head++ % QUEUE] = sampled(b, b->shifting);
    b->figures.heard++;
    b->is_shifting = b->is_waiting;
    b->shifting = b->waiting;
    b->is_waiting = false;
    request_both(b);
    return b->is_shifting ? when + llround(10 * board_bit(b)) : 0;
}

static void write_udr(struct avr_t *avr, avr_io_addr_t where, uint8_t value, void *param)
{
    struct board *b = param;
    (void)avr, (void)where;
    if (!b->is_shifting) {
        b->is_shifting = true;
        b->shifting = value;
        at(b, now(b) + llround(10 * board_bit(b)), leaves);
    } else {
        b->figures.overwritten += b->is_waiting;
        b->is_waiting = true;
        b->waiting = value;
    }
    request_both(b);
}

static uint8_t read_udr(struct avr_t *avr, avr_io_addr_t where, void *param)
{
    struct board *b = param;
    uint8_t byte = b->receiver[0];
    (void)avr, (void)where;
    if (b->received)
        b->received--;
    memmove(b->receiver, b->receiver + 1, 2);
    data(b)[UCSR0A] &= ~DOR;
    request_both(b);
    return byte;
}

static uint8_t read_plain(struct avr_t *avr, avr_io_addr_t where, void *param)
{
    (void)param;
    return avr->data[where];
}

static void write_status(struct avr_t *avr, avr_io_addr_t where, uint8_t value, void *param)
{
    (void)param;
    avr->data[where] = (avr->data[where] & ~U2X) | (value & U2X);
}

static void write_control(struct avr_t *avr, avr_io_addr_t where, uint8_t value, void *param)
{
    struct board *b = param;
    avr->data[where] = value;
    if (!(value & RXEN))
        b->received = 0;
    request_both(b);
}

static void write_plain(struct avr_t *avr, avr_io_addr_t where, uint8_t value, void *param)
{
    (void)param;
    avr->data[where] = value;
}

/* ---- Hands ---- */

static avr_cycle_count_t happens(struct avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct board *b = param;
    (void)avr, (void)when;
    uint32_t done = 0;
    for (; done < b->event_count && b->events[done].at <= now(b); done++) {
        struct event event = b->events[done];
        uint8_t *row = &b->closed[event.cell / SIDE], bit = 1 << event.cell % SIDE;
        *row = event.closed ? *row | bit : *row & ~bit;
    }
    b->event_count -= done;
    memmove(b->events, b->events + done, b->event_count * sizeof *b->events);
    wires_change(b);
    return b->event_count ? b->events[0].at : 0;
}

static void plan(struct board *b, struct event event)
{
    uint32_t i = b->event_count;
    if (i == EVENTS)
        abort();
    for (; i && b->events[i - 1].at > event.at; i--)
        b->events[i] = b->events[i - 1];
    b->events[i] = event;
    b->event_count++;
}

/* ---- The processor ---- */

static void run_some(avr_t *avr)
{
    avr_flashaddr_t next = avr->pc;
    if (avr->state == cpu_Running)
        next = avr_run_one(avr);
    avr_cycle_count_t idle = avr_cycle_timer_process(avr);
    avr->pc = next;
    if (avr->state == cpu_Sleeping && avr->interrupt_state <= 0)
        avr->cycle += idle ? idle : 1;
    else if (avr->state == cpu_Sleeping)
        avr->state = cpu_Running;
    if (avr->interrupt_state)
        avr_service_interrupts(avr);
}

static avr_cycle_count_t stop(struct avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)when, (void)param;
    return 0; /* that there is such a timer keeps the processor from sleeping past it */
}

static struct board *of_avr; /* a reset says of which processor, not of which board: one runs at a time */

static void reset(avr_t *avr)
{
    struct board *b = of_avr;
    b->core_reset(avr);
    avr->run_cycle_limit = 10000;
    b->figures.resets++;
    b->received = 0;
    b->is_shifting = b->is_waiting = false;
    look_at_data_pin(b);
    wires_change(b);
    expect(b);
    if (b->event_count)
        at(b, b->events[0].at, happens);
    at(b, b->until, stop);
}

static void on_write(struct board *b, avr_io_addr_t where, avr_io_write_t what)
{
    b->avr->io[AVR_DATA_TO_IO(where)].w.c = what;
    b->avr->io[AVR_DATA_TO_IO(where)].w.param = b;
}

static void on_read(struct board *b, avr_io_addr_t where, avr_io_read_t what)
{
    b->avr->io[AVR_DATA_TO_IO(where)].r.c = what;
    b->avr->io[AVR_DATA_TO_IO(where)].r.param = b;
}

static void wire_up(struct board *b)
{
    for (avr_io_addr_t pin = PINB; pin <= PIND; pin += 3) {
        on_read(b, pin, read_pins);
        on_write(b, pin, write_pins);
        on_write(b, pin + 1, write_port);
        on_write(b, pin + 2, write_port);
    }
    on_read(b, UDR0, read_udr);
    on_write(b, UDR0, write_udr);
    on_read(b, UCSR0A, read_plain);
    on_write(b, UCSR0A, write_status);
    on_write(b, UCSR0B, write_control);
    on_write(b, UBRR0L, write_plain);
    on_write(b, UBRR0H, write_plain);
    avr_irq_register_notify(avr_io_getirq(b->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), convert, b);
}

static avr_int_vector_t *vector(struct board *b, uint8_t number)
{
    for (int i = 0; i < b->avr->interrupts.vector_count; i++)
        if (b->avr->interrupts.vector[i]->vector == number)
            return b->avr->interrupts.vector[i];
    abort();
}

static bool load(struct board *b, const char *hex)
{
    uint32_t size, start;
    uint8_t *code = read_ihex_file(hex, &size, &start);
    if (!code)
        return false;
    memcpy(b->avr->flash + start, code, size);
    b->avr->codeend = start + size;
    free(code);
    return true;
}

/* ---- For board.py ---- */

/* What a reset is by: the bits of MCUSR (data sheet, 10.9.1). Without power, memory comes back as anything. */
enum { POWER = 1, PIN = 2, BROWN_OUT = 4 };

void board_reset(struct board *b, int cause)
{
    of_avr = b;
    if (cause & (POWER | BROWN_OUT))
        for (int i = b->avr->ioend + 1; i <= b->avr->ramend; i++)
            data(b)[i] = roll(b, 256);
    avr_reset(b->avr);
    data(b)[MCUSR] = cause;
}

void board_baud(struct board *b, double baud) { b->host_bit = HERTZ / baud; }

/* A board under power, or NULL where there is no such file or no such processor. */
struct board *board_make(const char *hex, double baud)
{
    struct board *b = calloc(1, sizeof *b);
    b->avr = avr_make_mcu_by_name("atmega328p");
    if (!b->avr || avr_init(b->avr) || !load(b, hex))
        return NULL;
    b->avr->frequency = HERTZ;
    b->avr->vcc = b->avr->avcc = 5000;
    b->avr->log = LOG_NONE;
    b->avr->run = run_some;
    b->core_reset = b->avr->reset;
    b->avr->reset = reset;
    b->rx_vector = vector(b, RX_VECTOR);
    b->udre_vector = vector(b, UDRE_VECTOR);
    b->diodes = 1;
    b->dice = 88172645463325252;
    b->rise = 56; /* 35 kOhm, 100 pF */
    for (int cell = 0; cell < 64; cell++)
        b->hall[cell] = 2500;
    for (int column = 0; column < SIDE; column++)
        b->pace[column] = 1;
    board_baud(b, baud);
    wire_up(b);
    board_reset(b, POWER);
    return b;
}

void board_free(struct board *b)
{
    avr_terminate(b->avr);
    free(b);
}

uint64_t board_now(struct board *b) { return now(b); }

struct figures *board_figures(struct board *b) { return &b->figures; }

static bool runs(struct board *b) { return b->avr->state == cpu_Running || b->avr->state == cpu_Sleeping; }

uint32_t board_waiting(struct board *b) { return b->heard_head - b->heard_tail; }

/* Runs until that cycle, or until so many bytes wait to be taken, whichever is first. */
void board_run(struct board *b, uint64_t until, uint32_t bytes)
{
    of_avr = b;
    b->until = until;
    at(b, until, stop);
    while (now(b) < until && board_waiting(b) < bytes && runs(b))
        avr_run(b->avr);
    b->figures.crashed = !runs(b);
}

/* Puts bytes on the line to the board, one after another at the host's rate; answers how many it took. */
uint32_t board_send(struct board *b, const uint8_t *bytes, uint32_t count)
{
    uint32_t room = QUEUE - (b->coming_head - b->coming_tail);
    if (count > room)
        count = room;
    for (uint32_t i = 0; i < count; i++)
        b->coming[b->coming_head++ % QUEUE] = bytes[i];
    b->figures.sent += count;
    expect(b);
    return count;
}

uint32_t board_unsent(struct board *b) { return b->coming_head - b->coming_tail; }

/* Takes bytes of the board, with the cycles at which their stop bits ended. */
uint32_t board_take(struct board *b, uint8_t *bytes, uint64_t *cycles, uint32_t most)
{
    uint32_t count = 0;
    for (; count < most && b->heard_head != b->heard_tail; count++, b->heard_tail++) {
        bytes[count] = b->heard[b->heard_tail % QUEUE];
        cycles[count] = b->heard_at[b->heard_tail % QUEUE];
    }
    return count;
}

/* Moves a switch at a cycle; it bounces for so many cycles and then stays. */
void board_switch(struct board *b, uint64_t cycle, uint32_t cell, uint32_t closed, uint64_t bounce)
{
    bool state = closed;
    for (uint64_t t = cycle; t < cycle + bounce; t += 160 + roll(b, 3200), state = !state) /* 10 to 210 us */
        plan(b, (struct event){t, cell, state});
    plan(b, (struct event){cycle + bounce, cell, closed});
    at(b, b->events[0].at, happens);
}

void board_matrix(struct board *b, uint32_t diodes, double ohms, double farads)
{
    b->diodes = diodes;
    b->rise = ohms * farads * HERTZ;
}

void board_hall(struct board *b, uint32_t cell, uint32_t millivolts) { b->hall[cell] = millivolts; }

/* A fault of the processor: its tick stops. */
void board_jam(struct board *b) { data(b)[TIMSK1] = 0; }

/* What the strip shows, in the order of its bytes (green, red, blue); answers how many there are. */
uint32_t board_strip(struct board *b, uint8_t *bytes)
{
    if (shows(b))
        show(b);
    memcpy(bytes, b->shown, b->shown_count);
    return b->shown_count;
}

/* ---- As a program ----
 *
 * board FIRMWARE.hex BAUD LINK [dtr]: a pty whose name the symbolic link LINK leads to; the board runs at the pace of
 * the clock. With `dtr`, opening the port resets the board, as on an Uno. Commands, a line each on standard input, a line
 * each in answer:
 *   close CELL [MS]   a switch closes, bouncing for so many milliseconds      open CELL [MS]
 *   pixels            what the strip shows, in hexadecimal: green, red, blue
 *   stats             some figures
 *   reset             the button
 *   pull              the cable is pulled, which has the power, too           plug
 */
struct program {
    struct board *board;
    const char *link;
    int master; /* -1: the cable is pulled */
    bool dtr, open;
    struct timespec began;
    uint64_t skipped; /* cycles that were not run, for the machine was busy */
};

static void plug(struct program *p)
{
    p->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (p->master < 0 || grantpt(p->master) || unlockpt(p->master))
        abort();
    struct termios2 raw;
    ioctl(p->master, TCGETS2, &raw);
    raw.c_iflag = raw.c_oflag = raw.c_lflag = 0; /* no echo before the host has set its own */
    ioctl(p->master, TCSETS2, &raw);
    close(open(ptsname(p->master), O_RDWR | O_NOCTTY)); /* only once closed, the other end is told to be closed */
    unlink(p->link);
    if (symlink(ptsname(p->master), p->link))
        abort();
    board_reset(p->board, POWER);
}

static void pull(struct program *p)
{
    close(p->master);
    unlink(p->link);
    p->master = -1;
    p->open = false;
}

static void take_rate(struct program *p)
{
    struct termios2 line;
    if (!ioctl(p->master, TCGETS2, &line) && line.c_ospeed)
        board_baud(p->board, line.c_ospeed);
}

static void hand_over(struct program *p)
{
    uint8_t bytes[256];
    uint64_t cycles[256];
    for (uint32_t count; (count = board_take(p->board, bytes, cycles, sizeof bytes));)
        if (p->open && write(p->master, bytes, count) < 0 && errno != EAGAIN)
            p->open = false;
}

static void listen_to_host(struct program *p)
{
    struct pollfd at_master = {p->master, POLLIN, 0};
    poll(&at_master, 1, 0);
    bool open = !(at_master.revents & POLLHUP);
    if (open && !p->open && p->dtr)
        board_reset(p->board, PIN);
    p->open = open;
    uint8_t bytes[4096];
    ssize_t count = at_master.revents & POLLIN ? read(p->master, bytes, sizeof bytes) : 0;
    if (count > 0) {
        take_rate(p);
        board_send(p->board, bytes, count);
    }
}

static void print_strip(struct board *b)
{
    uint8_t bytes[STRIP];
    uint32_t count = board_strip(b, bytes);
    for (uint32_t i = 0; i < count; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

static void print_stats(struct board *b)
{
    struct figures *f = &b->figures;
    printf("cycle=%llu sent=%llu heard=%llu overruns=%llu strips=%llu torn=%llu resets=%llu shorts=%llu lamp=%llu\n",
           (unsigned long long)now(b), (unsigned long long)f->sent, (unsigned long long)f->heard,
           (unsigned long long)f->overruns, (unsigned long long)f->strips, (unsigned long long)f->torn,
           (unsigned long long)f->resets, (unsigned long long)f->shorts, (unsigned long long)f->lamp);
}

static void move(struct board *b, const char *word, uint32_t cell, double ms)
{
    if (cell < SIDE * SIDE)
        board_switch(b, now(b), cell, *word == 'c', ms * HERTZ / 1000);
}

static void obey(struct program *p, const char *line)
{
    char word[16] = "";
    uint32_t cell = 0;
    double ms = 0;
    sscanf(line, "%15s %u %lf", word, &cell, &ms);
    if (!strcmp(word, "pixels")) {
        print_strip(p->board);
        return;
    }
    if (!strcmp(word, "stats")) {
        print_stats(p->board);
        return;
    }
    if (!strcmp(word, "close") || !strcmp(word, "open"))
        move(p->board, word, cell, ms);
    else if (!strcmp(word, "reset"))
        board_reset(p->board, PIN);
    else if (!strcmp(word, "pull") && p->master >= 0)
        pull(p);
    else if (!strcmp(word, "plug") && p->master < 0)
        plug(p);
    else {
        printf("there is no such command\n");
        return;
    }
    printf("ok\n");
}

/* False at the end of the input. */
static bool listen_to_commands(struct program *p)
{
    static char lines[4096];
    static size_t kept;
    struct pollfd at_input = {0, POLLIN, 0};
    if (poll(&at_input, 1, 0) < 1)
        return true;
    ssize_t count = read(0, lines + kept, sizeof lines - 1 - kept);
    if (count <= 0)
        return false;
    kept += count;
    for (char *end; (end = memchr(lines, '\n', kept));) {
        *end = 0;
        obey(p, lines);
        kept -= end + 1 - lines;
        memmove(lines, end + 1, kept);
    }
    return kept < sizeof lines - 1;
}

/* Where the board ought to be by the clock. What it lags behind by more than a tenth of a second it need not make up. */
static uint64_t due(struct program *p)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double passed = (t.tv_sec - p->began.tv_sec) + (t.tv_nsec - p->began.tv_nsec) / 1e9;
    uint64_t cycle = passed * HERTZ - p->skipped;
    uint64_t lag = cycle > now(p->board) ? cycle - now(p->board) : 0;
    if (lag <= HERTZ / 10)
        return cycle;
    p->skipped += lag - HERTZ / 10;
    return cycle - (lag - HERTZ / 10);
}

static void live(struct program *p)
{
    const struct timespec pause = {0, 500000};
    while (listen_to_commands(p)) {
        if (p->master >= 0) {
            listen_to_host(p);
            board_run(p->board, due(p), QUEUE);
            hand_over(p);
        } else
            p->skipped += due(p) - now(p->board); /* no power: the board stands still */
        nanosleep(&pause, NULL);
    }
}

int main(int count, char **words)
{
    if (count < 4) {
        fprintf(stderr, "usage: board FIRMWARE.hex BAUD LINK [dtr]\n");
        return 2;
    }
    struct program p = {.link = words[3], .dtr = count > 4};
    p.board = board_make(words[1], atof(words[2]));
    if (!p.board)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    clock_gettime(CLOCK_MONOTONIC, &p.began);
    plug(&p);
    printf("%s\n", ptsname(p.master));
    live(&p);
    unlink(p.link);
    board_free(p.board);
    return 0;
}
