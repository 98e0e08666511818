// The server's events, for all pages at once: a browser keeps six connections to a host, and a page that
// listens holds one. Runs as a SharedWorker; where there is none, as the Worker of one page.

const pages = new Set();
const longest = 40000; // ms without a word: the server says something every 15 s
let source = null;
let heard = 0; // when
let failures = 0;

const tell = (name, data) => pages.forEach((page) => page.postMessage({ name, data }));

function open() {
  source?.close();
  source = new EventSource("/api/events");
  heard = Date.now();
  for (const name of ["checking", "verdict", "ping"]) {
    source.addEventListener(name, (event) => {
      heard = Date.now();
      if (name !== "ping") tell(name, JSON.parse(event.data));
    });
  }
  source.addEventListener("open", () => {
    failures = 0;
    tell("connection", true);
  });
  source.addEventListener("error", () => {
    source.close();
    tell("connection", false);
    setTimeout(open, Math.min(500 * 2 ** failures++, 4000));
  });
}

function add(page) {
  pages.add(page);
  page.onmessage = () => pages.delete(page); // it leaves
  if (source?.readyState === EventSource.OPEN) page.postMessage({ name: "connection", data: true });
}

if ("SharedWorkerGlobalScope" in self) self.onconnect = ({ ports: [page] }) => add(page);
else add(self);
open();
setInterval(() => {
  if (source.readyState === EventSource.OPEN && Date.now() - heard > longest) open(); // the machine has slept
}, 5000);
