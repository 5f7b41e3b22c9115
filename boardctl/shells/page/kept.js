// What this viewer has set, kept in the browser. A browser that keeps nothing (private window, full, forbidden)
// only forgets it at the next visit.

const NAME = "boardctl";

const DEFAULTS = {
  sees: false, difference: false, letters: false, still: false, keys: true, theme: "auto", lines: "light", open: [],
};

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "{}");
    return { ...DEFAULTS, ...Object.fromEntries(Object.entries(found).filter(fits)) };
  } catch {
    return { ...DEFAULTS };
  }
}

function fits([key, value]) {
  return key in DEFAULTS && typeof value === typeof DEFAULTS[key] && Array.isArray(value) === Array.isArray(DEFAULTS[key]);
}

export const settings = read();

export function keep(key, value) {
  settings[key] = value;
  try {
    localStorage.setItem(NAME, JSON.stringify(settings));
  } catch {
    return;
  }
}
