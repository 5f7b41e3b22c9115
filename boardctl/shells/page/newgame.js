// The sheet for a new game: every game, every option, how strict, and what board is simulated.

import { element } from "./make.js";
import { byId } from "./panel.js";
import * as words from "./words.js";

export class NewGame {
  #scene = null;

  constructor(begin) {
    this.dialog = byId("new");
    byId("new-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.dialog.close();
      begin(this.#asked());
    });
    byId("new-games").addEventListener("change", () => this.#options());
  }

  open(scene) {
    this.#scene = scene;
    byId("new-warning").hidden = Boolean(scene.over) || !scene.record.some(({ undone }) => !undone);
    byId("new-games").replaceChildren(...scene.games.map(({ name, title, about }) => card("game", name, title, about, name === scene.game.name)));
    byId("new-policies").replaceChildren(...scene.policies.map((policy) => {
      const [title, about] = words.POLICIES[policy] ?? [policy, ""];
      return card("policy", policy, title, about, policy === scene.game.policy);
    }));
    byId("new-board").hidden = !scene.simulated;
    this.#options();
    this.dialog.showModal();
  }

  #options() {
    const { name, options, sensors } = this.#scene.games.find((game) => game.name === this.#chosen("game")) ?? this.#scene.games[0];
    const now = name === this.#scene.game.name ? this.#scene.game.options : {};
    byId("new-options").replaceChildren(...options.map((option) => field(option, now[option.name] ?? option.default)));
    const chosen = byId("new-sensors").value || this.#scene.game.sensors;
    byId("new-sensors").replaceChildren(...sensors.map((kind) => element("option", { value: kind }, words.SENSORS[kind] ?? kind)));
    byId("new-sensors").value = sensors.includes(chosen) ? chosen : sensors[0];
  }

  #chosen(name) {
    return byId("new-form").elements[name].value;
  }

  #asked() {
    const options = {};
    for (const input of byId("new-options").querySelectorAll("[data-option]")) options[input.dataset.option] = valueOf(input);
    const asked = { game: this.#chosen("game"), options, policy: this.#chosen("policy") };
    if (!this.#scene.simulated) return asked;
    return { ...asked, sensors: byId("new-sensors").value, start: byId("new-start").value };
  }
}

function valueOf(input) {
  if (input.type === "checkbox") return input.checked;
  return input.type === "number" ? Number(input.value) : input.value;
}

function card(group, value, title, about, chosen) {
  const input = element("input", { type: "radio", name: group, value });
  input.checked = chosen;
  return element("label", { class: "card" }, input, element("span", {}, element("strong", {}, title), ` ${about}`));
}

function field(option, value) {
  const input = control(option, value);
  input.dataset.option = option.name;
  const name = words.OPTION_NAMES[option.name];
  const said = name ? [name, element("small", {}, option.about)] : [option.about.replace(/\.$/, "")];
  return input.type === "checkbox"
    ? element("label", { class: "switch" }, input, element("span", {}, ...said))
    : element("label", { class: "field" }, element("span", {}, ...said), input);
}

function control({ default: normal, choices, lowest, highest, step }, value) {
  if (typeof normal === "boolean") {
    const box = element("input", { type: "checkbox" });
    box.checked = value;
    return box;
  }
  if (typeof normal === "number") {
    const input = element("input", { type: "number", min: lowest, max: highest, step, required: "" });
    input.value = value;
    return input;
  }
  const select = element("select", {}, ...choices.map((choice) => element("option", { value: choice }, words.option(choice))));
  select.value = value;
  return select;
}
