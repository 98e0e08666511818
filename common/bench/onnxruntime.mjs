// Attention of ours beside ONNX Runtime's, on the same shapes in one run: each of its is measured between two of
// ours. MultiHeadAttention is its fused form, GroupQueryAttention its causal one.
//
//     ./course bench --quick                                  builds the program that this runs
//     npm install --ignore-scripts onnxruntime-node           in FOLDER; its library is in the package
//     node common/bench/onnxruntime.mjs FOLDER [N…]           fp32, 8 heads, d 64, 2 threads
//
// A model of one node is a few dozen bytes of protobuf, written here by hand: it spares a converter.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, ...sizes] = process.argv.slice(2);
const ort = createRequire(modules + "/")("onnxruntime-node");
const heads = 8, d = 64, threads = 2, seconds = 2;

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

/// Median milliseconds of the streaming forward, {full, causal}.
function ours(n) {
  const path = (name) => new URL(`../../build/${name}`, import.meta.url).pathname;
  execFileSync(path("bench"), ["--n", n, "--d", d, "--threads", threads, "--filter", "streaming/forward", "--out", path("bench.json")]);
  const runs = JSON.parse(readFileSync(path("bench.json"))).benchmarks.filter((run) => run.aggregate_name === "median");
  const time = (kind) => runs.find((run) => run.name.includes(`/${kind}/`)).real_time;
  return { full: time("full"), causal: time("causal") };
}

async function theirs(n) {
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
  return { full, causal };
}

console.log("     n          theirs     ours    ratio   in ms");
for (const n of sizes.length ? sizes.map(Number) : [512, 2048, 4096]) {
  const before = ours(n), peer = await theirs(n), after = ours(n);
  for (const kind of ["full", "causal"]) {
    const mine = (before[kind] + after[kind]) / 2;
    const cells = [peer[kind], mine, peer[kind] / mine].map((number) => number.toFixed(2).padStart(8));
    console.log(`${String(n).padStart(6)} ${kind.padEnd(6)} ${cells.join(" ")}`);
  }
}
