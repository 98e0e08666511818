// Times ONNX Runtime's fused attention: MultiHeadAttention, and GroupQueryAttention, which is causal.
//
//     node onnxruntime_attention.mjs MODULES N D HEADS THREADS SECONDS
//
// MODULES is the folder that onnxruntime-node was installed under. Prints one line of JSON: the median
// milliseconds of each. A model of one node is a few dozen bytes of protobuf, written here by hand: it
// spares a converter.

import { createRequire } from "node:module";

const [modules, ...numbers] = process.argv.slice(2);
const [n, d, heads, threads, seconds] = numbers.map(Number);
const ort = createRequire(modules + "/")("onnxruntime-node");

// Protobuf: a field is its number and wire type, then a varint (0) or a length and bytes (2).
function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}
const integer = (field, value) => [...varint(field * 8), ...varint(value)];
const message = (field, bytes) => [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
const text = (field, string) => message(field, [...Buffer.from(string)]);

const FLOAT = 1, INT32 = 6;
const dimension = (size) => message(1, integer(1, size));
const tensor = (field, [name, type, shape]) =>
  message(field, [...text(1, name), ...message(2, message(1, [...integer(1, type), ...message(2, shape.flatMap(dimension))]))]);
const attribute = ([name, value]) => message(5, [...text(1, name), ...integer(3, value), ...integer(20, 2)]);

function model(operator, attributes, inputs, outputs) {
  const node = [
    ...inputs.flatMap((input) => text(1, input[0])),
    ...outputs.flatMap((output) => text(2, output[0])),
    ...text(4, operator),
    ...attributes.flatMap(attribute),
    ...text(7, "com.microsoft"),
  ];
  const graph = [
    ...message(1, node),
    ...text(2, "attention"),
    ...inputs.filter((input) => input[0]).flatMap((input) => tensor(11, input)),
    ...outputs.flatMap((output) => tensor(12, output)),
  ];
  const opset = (domain, version) => message(8, [...text(1, domain), ...integer(2, version)]);
  return Uint8Array.from([...integer(1, 8), ...opset("", 17), ...opset("com.microsoft", 1), ...message(7, graph)]);
}

function normal(size) {
  return Float32Array.from({ length: size }, () =>
    Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random()));
}

async function median(bytes, feeds) {
  const session = await ort.InferenceSession.create(bytes, {
    intraOpNumThreads: threads, interOpNumThreads: 1, executionMode: "sequential",
  });
  await session.run(feeds);
  const times = [];
  const start = performance.now();
  while (times.length < 5 || performance.now() - start < 1000 * seconds) {
    const before = performance.now();
    await session.run(feeds);
    times.push(performance.now() - before);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

const hidden = heads * d;
const rows = ["query", "key", "value"].map((name) => [name, FLOAT, [1, n, hidden]]);
const output = ["output", FLOAT, [1, n, hidden]];
const feeds = {};
for (const [name] of rows) feeds[name] = new ort.Tensor("float32", normal(n * hidden), [1, n, hidden]);

const full = await median(model("MultiHeadAttention", [["num_heads", heads]], rows, [output]), feeds);

const cache = (name) => [name, FLOAT, [1, heads, n, d]];
const causal = await median(
  model(
    "GroupQueryAttention",
    [["num_heads", heads], ["kv_num_heads", heads]],
    [...rows, [""], [""], ["last", INT32, [1]], ["total", INT32, [1]]],
    [output, cache("present_key"), cache("present_value")],
  ),
  {
    ...feeds,
    last: new ort.Tensor("int32", Int32Array.of(n - 1), [1]),
    total: new ort.Tensor("int32", Int32Array.of(n), [1]),
  },
);
console.log(JSON.stringify({ full, causal }));
