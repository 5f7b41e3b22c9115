// The lights as the LEDs show them. Colour, strength and rhythm come with the scene (its legend), so that the page
// and the pixels cannot drift apart. All lights run on the document's clock: twenty wrong discs flash as one.

import { look as lookOf } from "./words.js";

const FADE = 80;

export class Glow {
  #playing = null;
  #now = "";

  constructor(element) {
    this.element = element;
  }

  show(light, legend, candidates, still) {
    const look = light && lookOf(legend, light);
    const place = light?.meaning === "choice" ? candidates : { at: 0, of: 0 };
    const now = look ? JSON.stringify([light, place, still]) : "";
    if (now === this.#now) return;
    this.#now = now;
    this.#playing?.cancel();
    this.#playing = null;
    this.element.hidden = !look;
    if (look) this.#light(look, light, place, still);
  }

  #light(look, light, place, still) {
    this.element.style.setProperty("--light", colour(look, light.to));
    this.element.style.opacity = look.strength;
    this.element.animate({ opacity: [0, look.strength] }, FADE);
    const steady = look.pattern.length < 2;
    if (steady || still) return;
    const { period, pattern } = rhythm(look, place);
    this.#playing = this.element.animate(frames(pattern, look), { duration: period * 1000, iterations: Infinity });
    this.#playing.startTime = delay(look, light, place) * 1000;
  }
}

export function colour(look, to) {
  const colours = Object.values(look.colours);
  return look.colours.any ?? look.colours[to] ?? colours[0] ?? "#ffffff";
}

function rhythm(look, place) {
  if (!look.turn) return look;
  const period = look.turn * Math.max(place.of, 2);
  return { period, pattern: [[0, 1], [look.turn / period, 0]] };
}

function delay(look, light, place) {
  return look.turn * place.at + look.step * Math.max((light.step ?? 1) - 1, 0);
}

// A light that jumps keeps each level until the next beat; one that glides eases from level to level.
function frames(pattern, look) {
  const jumps = look.passage === "jump";
  const beat = ([offset, level]) => ({
    offset, opacity: level * look.strength, easing: jumps ? "steps(1, jump-end)" : "ease-in-out",
  });
  return [...pattern.map(beat), beat([1, pattern[0][1]])];
}
