// The stations of the map, in the order in which a sentence passes them, and what they run on.

import { data, exercises, failing } from "./course.js";

const station = (id, label, uses, tells, more = {}) => ({ id, label, uses, tells, ...more });
const layered = (...parts) => station(...parts, { layered: true });
const only = (model, each) => ({ ...each, model });

/// uses: the exercises whose functions a station calls; none where the model's numbers alone say what comes out.
const all = [
  only("12", station("tokens", "tokens", ["12.3"], "The text becomes tokens: pieces that the model knows, each with a number.")),
  only("12", station("rows", "rows", [], "Each token takes its row of the model's table: numbers that training found.")),
  only("11", station("tokens", "tokens", [], "Every character of the text is a token, and has a number.")),
  only("11", station("rows", "rows", [], "Each character takes its row of the model's table, plus the row of its position.")),
  only("12", layered("norm", "norm", ["12.1"], "Every token's row is brought to the same size, before attention.")),
  only("11", layered("norm", "norm", ["11.1"], "Every token's row is brought to mean 0 and variance 1, before attention: layer_norm.")),
  layered("project", "project", ["01.1"], "Three matrices make queries, keys and values of every row."),
  layered("split", "split", ["09.1"], "The columns are shared out among the heads."),
  only("12", layered("rotate", "rotate", ["09.3"], "Queries and keys are turned by their positions, so that a score depends on the distance.")),
  only("12", layered("scores", "scores", ["02.2"], "Each query is compared with each key, and the result divided by √d_k. Queries of heads 1 and 2 read the same keys, those of 3 and 4 the others.")),
  only("11", layered("scores", "scores", ["02.2"], "Each query is compared with each key of its head, and the result divided by √d_k.")),
  layered("mask", "mask", ["05.1", "05.2"], "No token may see those after it: their scores become −∞."),
  layered("softmax", "softmax", ["03.2"], "Each row of scores becomes weights with the sum 1: how much a token reads of each token."),
  layered("read", "read", ["04.1"], "Each token gets the mixture of all values, each times its weight."),
  only("11", layered("cache", "cache", ["11.2"], "The newest token reads from the keys and values that were kept: its row goes on from here. So does every character that is written after it, and nothing is computed twice.")),
  layered("merge", "merge", ["09.1"], "The heads' columns stand next to each other again."),
  layered("out", "W_o", ["01.1"], "One more matrix mixes what the heads have read."),
  layered("added", "+", [], "What was read is added to the row that came into the layer."),
  only("12", layered("norm2", "norm", ["12.1"], "Every row is brought to the same size again, before the mlp.")),
  only("12", layered("mlp", "mlp", ["12.2"], "Each token by itself: 116 gates decide what is added.")),
  only("11", layered("mlp", "mlp", ["11.1"], "Each token by itself: norm, four times as many numbers, gelu, and back. It is transformer_block with a W_o of zeros, so that its attention, which the stations before have done, adds nothing.")),
  layered("stream", "+", [], "Added to the row again: this goes to the next layer."),
  only("12", station("last", "norm", ["12.1"], "After the last layer every row is brought to the same size once more.")),
  only("12", station("logits", "logits", ["02.1"], "The row is compared with the row of every token in the table: 512 scores for what comes next.")),
  only("11", station("logits", "logits", ["11.5"], "One more norm, and the row is compared with the row of every character. It is next_logits, which gets the rows that have come here as positions, and one layer of zeros.")),
  station("dice", "dice", ["11.3"], "A token is drawn: here, at temperature 0, always the likeliest."),
];
export const stationsOf = (lesson) => all.filter(({ model }) => !model || model === lesson);

/// Where each lesson is on the map, also those whose exercises it does not call.
export const places = {
  "01": ["project", "out"], "02": ["scores", "logits"], "03": ["softmax"], "04": ["read"], "05": ["mask"], "06": ["scores", "softmax"],
  "07": ["scores"], "08": ["scores", "softmax", "read"], "09": ["split", "rotate", "merge"], "10": ["scores", "mask", "softmax", "read"],
  11: ["norm", "cache", "mlp", "logits", "dice"], 12: ["tokens", "norm", "norm2", "mlp", "last"],
};

export const wrong = (exercise) => failing(exercise) && exercise.state !== "grader_at_fault";

/// "none": no function; "ours": not passed yet; "theirs"; "failing".
export function stateOf({ uses }) {
  const used = uses.map((id) => exercises.get(id));
  if (used.length === 0) return "none";
  return used.some(wrong) ? "failing" : used.every((each) => each?.state === "passed") ? "theirs" : "ours";
}

/// Whose function a call takes: the reader's once it is there, right or wrong.
export const theirsRuns = (exercise) => data.live && exercise && (exercise.state === "passed" || (wrong(exercise) && exercise.state !== "does_not_compile"));
