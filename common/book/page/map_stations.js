// The stations of the map, in the order in which a sentence passes them, and what they run on.

import { data, exercises, failing } from "./course.js";

const station = (id, label, uses, tells, more = {}) => ({ id, label, uses, tells, ...more });
const layered = { layered: true };

/// uses: the exercises whose functions a station calls; none where the model's numbers alone say what comes out.
export const stations = [
  station("tokens", "tokens", ["12.3"], "The text becomes tokens: pieces that the model knows, each with a number."),
  station("rows", "rows", [], "Each token takes its row of the model's table: 48 numbers that training found."),
  station("norm", "norm", ["12.1"], "Every token's row is brought to the same size, before attention.", layered),
  station("project", "project", ["01.1"], "Three matrices make queries, keys and values of every row.", layered),
  station("split", "split", ["09.1"], "The columns are shared out: four heads of queries, two of keys and of values.", layered),
  station("rotate", "rotate", ["09.3"], "Queries and keys are turned by their positions, so that a score depends on the distance.", layered),
  station("scores", "scores", ["02.2"], "Each query is compared with each key, and the result divided by √d_k. Queries of heads 1 and 2 read the same keys, those of 3 and 4 the others.", layered),
  station("mask", "mask", ["05.1", "05.2"], "No token may see those after it: their scores become −∞.", layered),
  station("softmax", "softmax", ["03.2"], "Each row of scores becomes weights with the sum 1: how much a token reads of each token.", layered),
  station("read", "read", ["04.1"], "Each token gets the mixture of all values, each times its weight.", layered),
  station("merge", "merge", ["09.1"], "The heads' columns stand next to each other again.", layered),
  station("out", "W_o", ["01.1"], "One more matrix mixes what the heads have read.", layered),
  station("added", "+", [], "What was read is added to the row that came into the layer.", layered),
  station("norm2", "norm", ["12.1"], "Every row is brought to the same size again, before the mlp.", layered),
  station("mlp", "mlp", ["12.2"], "Each token by itself: 116 gates decide what is added.", layered),
  station("stream", "+", [], "Added to the row again: this goes to the next layer.", layered),
  station("last", "norm", ["12.1"], "After the last layer every row is brought to the same size once more.", {}),
  station("logits", "logits", ["02.1"], "The row is compared with the row of every token in the table: 512 scores for what comes next."),
  station("dice", "dice", ["11.3"], "A token is drawn: here, at temperature 0, always the likeliest."),
];
export const stationOf = (id) => stations.find((each) => each.id === id);

/// Where each lesson is on the map, also those whose exercises it does not call.
export const places = {
  "01": ["project", "out"], "02": ["scores", "logits"], "03": ["softmax"], "04": ["read"], "05": ["mask"], "06": ["scores", "softmax"],
  "07": ["scores"], "08": ["scores", "softmax", "read"], "09": ["split", "rotate", "merge"], "10": ["scores", "mask", "softmax", "read"],
  11: ["norm", "mlp", "dice"], 12: ["tokens", "norm", "norm2", "mlp", "last"],
};

/// "none": no function; "ours": not passed yet; "theirs"; "failing".
export function stateOf({ uses }) {
  const used = uses.map((id) => exercises.get(id));
  if (used.length === 0) return "none";
  return used.some(failing) ? "failing" : used.every((each) => each?.state === "passed") ? "theirs" : "ours";
}

/// Whose function a call takes: the reader's once it is there, right or wrong.
export const theirsRuns = (exercise) => data.live && exercise && (exercise.state === "passed" || (failing(exercise) && exercise.state !== "does_not_compile"));
