/* A GPIO chip with a game board on its pins, for programs on a machine that has neither.
 *
 * Loaded before libc, it answers what a program asks of /dev/gpiochip0 (the second GPIO interface of Linux, linux/gpio.h)
 * and of /dev/spidev?.? (linux/spi/spidev.h), and tells the revision of a Raspberry Pi Zero 2 W. Everything else goes
 * through to libc. On the pins hang a matrix of switches, with or without diodes, buttons to ground, and an MCP3008 with
 * halls behind multiplexers. Their state lies in the file that GPIOCHIP_BOARD names, which the test writes while the
 * program runs; there too is what the program did: its calls, and every change of a line.
 *
 * `struct board` is described a second time in chip.py.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/spi/spidev.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PINS 54
#define SIDE 16
#define MOMENTS 8192
#define FDS 1024

enum { INPUT, LOW, HIGH }; /* what a line does: nothing, or drive */

struct board {
    uint64_t calls;  /* ioctls on claimed lines: values read or written */
    uint64_t claims; /* ioctls that ask for lines */
    uint64_t shorts; /* times a line driven high was seen to be pulled to ground through switches */
    uint64_t alerts; /* lines that are asked to tell of edges */
    uint64_t transfers; /* readings of the converter */
    uint32_t moments; /* changes of lines so far; the first ones are kept below */
    uint32_t broken;  /* all reading and writing fails */
    uint32_t diodes;
    uint32_t rows, columns;
    uint32_t closed[SIDE], bare[SIDE], backwards[SIDE]; /* a row each, a bit a column */
    uint8_t row_pin[SIDE], column_pin[SIDE];
    uint8_t pressed[64];   /* pins that a button pulls to ground */
    uint8_t resistor[64];  /* pins that a resistor outside holds high */
    uint8_t drives[64];    /* what each line does now */
    char holder[64][32];   /* who else has a line */
    char label[32];
    uint8_t select_pin[4];
    uint16_t hall[8][16];
    struct { uint8_t pin, drives; } moment[MOMENTS];
};

struct request { /* lines claimed together */
    int open;
    uint32_t count, pin[GPIO_V2_LINES_MAX];
    uint64_t flags[GPIO_V2_LINES_MAX], values;
};

static struct board *board;
static struct request requests[FDS]; /* by file descriptor */
static uint8_t kind[FDS];            /* 0: not ours, 1: the chip, 2: a request, 3: an SPI device */
static struct request *owner[64];
static uint8_t pulled_up[64];

/* The pins */

static void drive(int pin, int what) {
    if (board->drives[pin] == what) return;
    board->drives[pin] = what;
    if (board->moments < MOMENTS) {
        board->moment[board->moments].pin = pin;
        board->moment[board->moments].drives = what;
    }
    board->moments++;
}

static int low(int pin) { return board->drives[pin] == LOW || board->pressed[pin]; }

/* All pins that closed switches pull to ground, as bits: current runs from column to row, and back where it may. */
static uint64_t grounded(void) {
    uint64_t down = 0;
    for (int pin = 0; pin < PINS; pin++)
        if (low(pin)) down |= 1ull << pin;
    for (int more = 1; more;) {
        more = 0;
        for (uint32_t r = 0; r < board->rows; r++)
            for (uint32_t bits = board->closed[r]; bits; bits &= bits - 1) {
                int c = __builtin_ctz(bits);
                uint64_t row = 1ull << board->row_pin[r], column = 1ull << board->column_pin[c];
                int around = board->diodes && board->backwards[r] >> c & 1;
                int both = !board->diodes || board->bare[r] >> c & 1;
                if ((both || !around) && down & row && !(down & column)) down |= column, more = 1;
                if ((both || around) && down & column && !(down & row)) down |= row, more = 1;
            }
    }
    for (int pin = 0; pin < PINS; pin++)
        if (down >> pin & 1 && board->drives[pin] == HIGH) board->shorts++;
    return down;
}

static int level(int pin, uint64_t down) {
    if (board->drives[pin] != INPUT) return board->drives[pin] == HIGH;
    return !(down >> pin & 1) && (pulled_up[pin] || board->resistor[pin]);
}

/* Lines that are claimed */

static void settle(struct request *r) { /* have its lines do what flags and values say */
    for (uint32_t i = 0; i < r->count; i++) {
        uint64_t flags = r->flags[i];
        int value = r->values >> i & 1, pin = r->pin[i];
        pulled_up[pin] = !!(flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP);
        if (!(flags & GPIO_V2_LINE_FLAG_OUTPUT)) drive(pin, INPUT);
        else if (!value) drive(pin, LOW);
        else drive(pin, flags & GPIO_V2_LINE_FLAG_OPEN_DRAIN ? INPUT : HIGH);
    }
}

static void configure(struct request *r, const struct gpio_v2_line_config *config) {
    for (uint32_t i = 0; i < r->count; i++) r->flags[i] = config->flags;
    for (uint32_t a = 0; a < config->num_attrs; a++) {
        const struct gpio_v2_line_config_attribute *given = &config->attrs[a];
        if (given->attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
            r->values = (r->values & ~given->mask) | (given->attr.values & given->mask);
        else if (given->attr.id == GPIO_V2_LINE_ATTR_ID_FLAGS)
            for (uint32_t i = 0; i < r->count; i++)
                if (given->mask >> i & 1) r->flags[i] = given->attr.flags;
    }
    for (uint32_t i = 0; i < r->count; i++)
        board->alerts += !!(r->flags[i] & (GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING));
    settle(r);
}

static int taken(uint32_t pin) { return owner[pin] || board->holder[pin][0]; }

static int claim(struct gpio_v2_line_request *asked) {
    board->claims++;
    for (uint32_t i = 0; i < asked->num_lines; i++) {
        if (asked->offsets[i] >= PINS) return errno = EINVAL, -1;
        if (taken(asked->offsets[i])) return errno = EBUSY, -1;
    }
    int fd = memfd_create("lines", MFD_CLOEXEC);
    if (fd < 0 || fd >= FDS) return errno = EMFILE, -1;
    struct request *r = &requests[fd];
    memset(r, 0, sizeof *r);
    kind[fd] = 2, r->count = asked->num_lines, asked->fd = fd;
    for (uint32_t i = 0; i < r->count; i++) owner[r->pin[i] = asked->offsets[i]] = r;
    configure(r, &asked->config);
    return 0;
}

static void release(struct request *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        owner[r->pin[i]] = NULL;
        pulled_up[r->pin[i]] = 0;
        drive(r->pin[i], INPUT);
    }
}

static int on_lines(struct request *r, unsigned long what, void *given) {
    struct gpio_v2_line_values *values = given;
    if (what == GPIO_V2_LINE_SET_CONFIG_IOCTL) return configure(r, given), 0;
    if (what != GPIO_V2_LINE_GET_VALUES_IOCTL && what != GPIO_V2_LINE_SET_VALUES_IOCTL) return errno = EINVAL, -1;
    board->calls++;
    if (board->broken) return errno = EIO, -1;
    if (what == GPIO_V2_LINE_SET_VALUES_IOCTL) {
        r->values = (r->values & ~values->mask) | (values->bits & values->mask);
        settle(r);
        grounded(); /* to notice shorts */
        return 0;
    }
    uint64_t down = grounded();
    values->bits = 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (values->mask >> i & 1 && level(r->pin[i], down)) values->bits |= 1ull << i;
    return 0;
}

/* The chip */

static int line_info(struct gpio_v2_line_info *info) {
    uint32_t pin = info->offset;
    if (pin >= PINS) return errno = EINVAL, -1;
    memset(info, 0, sizeof *info);
    info->offset = pin;
    snprintf(info->name, sizeof info->name, "GPIO%u", pin);
    info->flags = GPIO_V2_LINE_FLAG_INPUT;
    if (owner[pin])
        for (uint32_t i = 0; i < owner[pin]->count; i++)
            if (owner[pin]->pin[i] == pin) info->flags = owner[pin]->flags[i];
    if (taken(pin)) {
        info->flags |= GPIO_V2_LINE_FLAG_USED;
        snprintf(info->consumer, sizeof info->consumer, "%.31s", board->holder[pin][0] ? board->holder[pin] : "lg");
    }
    return 0;
}

static int on_chip(unsigned long what, void *given) {
    if (what == GPIO_GET_CHIPINFO_IOCTL) {
        struct gpiochip_info *info = given;
        memset(info, 0, sizeof *info);
        strcpy(info->name, "gpiochip0");
        snprintf(info->label, sizeof info->label, "%.31s", board->label);
        info->lines = PINS;
        return 0;
    }
    if (what == GPIO_V2_GET_LINEINFO_IOCTL) return line_info(given);
    if (what == GPIO_V2_GET_LINE_IOCTL) return claim(given);
    return errno = EINVAL, -1;
}

/* The converter: a start bit, single ended, three bits of channel; ten bits of answer at the end of three bytes */

static int on_spi(unsigned long what, void *given) {
    if (_IOC_NR(what) != 0) return 0; /* mode, bits and speed as you like */
    struct spi_ioc_transfer *message = given;
    const uint8_t *sent = (const uint8_t *)(uintptr_t)message->tx_buf;
    uint8_t *received = (uint8_t *)(uintptr_t)message->rx_buf;
    board->transfers++;
    if (board->broken) return errno = EIO, -1;
    if (message->len != 3 || sent[0] != 1 || !(sent[1] & 0x80)) return errno = EINVAL, -1;
    int chosen = 0;
    for (int bit = 0; bit < 4; bit++) chosen |= (board->drives[board->select_pin[bit]] == HIGH) << bit;
    uint16_t value = board->hall[sent[1] >> 4 & 7][chosen];
    received[0] = 0, received[1] = value >> 8 & 3, received[2] = value & 0xff;
    return 3;
}

/* In the place of libc */

static void wake(void) {
    if (board) return;
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    const char *file = getenv("GPIOCHIP_BOARD");
    int fd = file ? real(file, O_RDWR | O_CLOEXEC) : -1;
    board = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (board == MAP_FAILED) {
        fprintf(stderr, "gpiochip: GPIOCHIP_BOARD names no file that can be mapped\n");
        abort();
    }
    close(fd);
}

static int ours(const char *path) { /* a descriptor, or -1 where the path is none of ours */
    static const uint8_t zero_2_w[4] = {0x00, 0x90, 0x21, 0x20};
    int what = !strcmp(path, "/dev/gpiochip0") ? 1 : !strncmp(path, "/dev/spidev1.", 13) ? 3 : 0;
    int revision = !strcmp(path, "/proc/device-tree/system/linux,revision");
    if (!what && !revision) return -1;
    wake();
    int fd = memfd_create("ours", MFD_CLOEXEC);
    if (revision) {
        if (write(fd, zero_2_w, sizeof zero_2_w) < 0) abort();
        lseek(fd, 0, SEEK_SET);
    } else if (fd >= 0 && fd < FDS)
        kind[fd] = what;
    return fd;
}

static int opened(const char *name, const char *path, int flags, mode_t mode) {
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
    int fd = ours(path);
    return fd >= 0 ? fd : real(path, flags, mode);
}

#define OPENS(name)                                                      \
    int name(const char *path, int flags, ...) {                         \
        va_list rest;                                                    \
        va_start(rest, flags);                                           \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                    \
        return opened(#name, path, flags, mode);                         \
    }
OPENS(open)
OPENS(open64)

int ioctl(int fd, unsigned long what, ...) {
    va_list rest;
    va_start(rest, what);
    void *given = va_arg(rest, void *);
    va_end(rest);
    switch (fd >= 0 && fd < FDS ? kind[fd] : 0) {
    case 1: return on_chip(what, given);
    case 2: return on_lines(&requests[fd], what, given);
    case 3: return on_spi(what, given);
    }
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(fd, what, given);
}

int close(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "close");
    if (fd >= 0 && fd < FDS && kind[fd]) {
        if (kind[fd] == 2) release(&requests[fd]);
        kind[fd] = 0;
    }
    return real(fd);
}
