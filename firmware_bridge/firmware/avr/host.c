/* What the host wants. State is whole in every frame: the newest wins, and nothing has to be remembered. */
#include "host.h"
#include "board.h"
#include "clock.h"
#include "pixels.h"
#include "tell.h"
#include "uart.h"
#include "wire.h"

static struct {
    uint8_t hold; /* ticks */
    uint16_t hertz;
} settings = {HOLD_MS, SCAN_HZ};

static uint8_t palette[PALETTE][3];
static uint16_t silence; /* ticks since the last good frame, as far as they matter */
static bool there;

uint8_t host_hold(void)
{
    return settings.hold;
}

uint16_t host_scan_hertz(void)
{
    return settings.hertz;
}

bool host_is_there(void)
{
    return there;
}

void host_wait(uint8_t passed)
{
    if (!there)
        return;
    silence += passed;
    if (silence >= SILENCE_S * settings.hertz) {
        there = false;
        pixels_dark();
    }
}

static void greet(const struct frame *frame)
{
    tell_hello();
    if (frame->payload[0] == PROTOCOL)
        tell_scan();
    else
        tell_error(OTHER_VERSION, frame->seq);
}

static void show_colours(const struct frame *frame)
{
    const uint8_t *from = frame->payload;
    for (uint8_t pixel = 0; pixel < PIXELS; pixel++, from += 3)
        pixels_set(pixel, from[0], from[1], from[2]);
    pixels_show();
}

/* An index beyond the palette is dark. */
static void show_indexed(const struct frame *frame)
{
    for (uint8_t pixel = 0; pixel < PIXELS; pixel++) {
        uint8_t index = frame->payload[pixel];
        const uint8_t *colour = palette[index];
        if (index < PALETTE)
            pixels_set(pixel, colour[0], colour[1], colour[2]);
        else
            pixels_set(pixel, 0, 0, 0);
    }
    pixels_show();
}

/* A palette replaces the one before: colours that it does not name are dark. */
static void take_palette(const struct frame *frame)
{
    uint8_t *to = palette[0];
    for (uint8_t i = 0; i < sizeof palette; i++)
        to[i] = i < frame->length ? frame->payload[i] : 0;
}

static uint16_t between(uint16_t value, uint16_t least, uint16_t most)
{
    return value < least ? least : value > most ? most : value;
}

static void take_settings(const struct frame *frame)
{
    const uint8_t *payload = frame->payload;
    settings.hertz = between(payload[1] << 8 | payload[2], SLOWEST_HZ, FASTEST_HZ);
    uint32_t thousandths = (uint32_t)payload[0] * settings.hertz;
    settings.hold = between((thousandths + 999) / 1000, 1, 255);
    pixels_cap(payload[3]);
    clock_setup(settings.hertz);
}

static void do_nothing(const struct frame *frame)
{
    (void)frame;
}

static const struct {
    uint8_t type, least, most, step; /* of the payload, in bytes */
    bool done;                       /* is told when it is */
    void (*carry_out)(const struct frame *);
} requests[] = {
    {HELLO, 1, 250, 1, false, greet}, /* later versions may say more */
    {LEDS, PIXELS * 3, PIXELS * 3, 1, true, show_colours},
    {INDEXED, PIXELS, PIXELS, 1, true, show_indexed},
    {PALETTES, 3, sizeof palette, 3, true, take_palette},
    {PING, 0, 0, 1, true, do_nothing},
    {SETTINGS, 4, 4, 1, true, take_settings},
};

static bool fits(uint8_t i, uint8_t length)
{
    return length >= requests[i].least && length <= requests[i].most && length % requests[i].step == 0;
}

static void carry_out(uint8_t i, const struct frame *frame)
{
    if (!fits(i, frame->length)) {
        tell_error(WRONG_LENGTH, frame->seq);
        return;
    }
    uint8_t seq = frame->seq;
    requests[i].carry_out(frame);
    if (requests[i].done)
        tell_done(seq);
}

static void take(const struct frame *frame)
{
    if (frame->type & OF_A_BOARD) /* an echo of our own is no host */
        return;
    silence = 0;
    there = true;
    for (uint8_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (requests[i].type == frame->type) {
            carry_out(i, frame);
            return;
        }
    tell_error(UNKNOWN_TYPE, frame->seq);
}

void host_serve(void)
{
    struct frame frame;
    enum arrival what = NOTHING;
    for (uint8_t byte; what == NOTHING && uart_take(&byte);)
        what = wire_feed(byte, &frame);
    if (what == FRAME)
        take(&frame);
    else if (what == GARBAGE)
        tell_error(BAD_FORM, 0);
    else if (what == QUESTION)
        tell_person();
}
