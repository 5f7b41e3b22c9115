// The line to the server: whole scenes come in, small messages go out. It comes back by itself.

const SILENCE = 16000;  // the server says something every five seconds
const SOONEST = 250;
const LATEST = 4000;

export class Live {
  #socket = null;
  #wait = SOONEST;
  #again = 0;
  #silence = 0;

  constructor({ heard, up, down }) {
    this.heard = heard;
    this.up = up;
    this.down = down;
    for (const [target, event] of [[window, "online"], [window, "pageshow"], [document, "visibilitychange"]]) {
      target.addEventListener(event, () => this.#hurry());
    }
    this.#open();
  }

  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #open() {
    clearTimeout(this.#again);
    const address = new URL("live", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.search = address.hash = "";
    const token = tokenHere();
    if (token) address.searchParams.set("token", token);
    const socket = this.#socket = new WebSocket(address);
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#listen();
      this.#wait = SOONEST;
      const message = JSON.parse(data);
      if (message.scene) this.up();
      this.heard(message);
    };
    socket.onclose = () => socket === this.#socket && this.#lost();
    this.#listen();
  }

  #listen() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lost(), SILENCE);
  }

  #lost() {
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.down();
    this.#again = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 1.6, LATEST);
  }

  #hurry() {
    if (this.#socket || document.hidden) return;
    this.#wait = SOONEST;
    this.#open();
  }
}

function tokenHere() {
  const behind = new URLSearchParams(location.hash.slice(1)).get("token");
  return behind ?? new URLSearchParams(location.search).get("token");
}
