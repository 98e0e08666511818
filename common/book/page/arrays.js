// Arrays as the server reads and sends them ({shape, data}, row by row), and a few sums.

const special = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };

/// The server's value, its "NaN" and "Infinity" as numbers; {"bool": …} as an array of booleans.
export function decoded(value) {
  if (typeof value === "string") return value in special ? special[value] : value;
  if (Array.isArray(value)) return value.map(decoded);
  if (value === null || typeof value !== "object") return value;
  if (value.bool?.shape) return decoded(value.bool);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, decoded(part)]));
}

/// Numbers as JSON can have them.
export function encoded(value) {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(encoded);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, encoded(part)]));
}

export const matrix = (rows) => ({ shape: [rows.length, rows[0].length], data: rows.flat() });
export const vector = (numbers) => ({ shape: [numbers.length], data: numbers });
export const bools = (rows) => ({ bool: matrix(rows) });

/// The rows of a matrix that the server sent.
export function rowsOf({ shape, data }) {
  const [rows, columns] = shape;
  return Array.from({ length: rows }, (_, i) => data.slice(i * columns, (i + 1) * columns));
}

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
export const mean = (numbers) => sum(numbers) / numbers.length;
export function dot(a, b) {
  let total = 0;
  for (let i = 0; i < a.length; ++i) total += a[i] * b[i];
  return total;
}
export function softmax(scores) {
  const most = Math.max(...scores);
  const terms = scores.map((score) => Math.exp(score - most));
  const total = sum(terms);
  return terms.map((term) => term / total);
}
export const length = (a) => Math.hypot(...a);
export const deviation = (numbers) => {
  const middle = mean(numbers);
  return Math.sqrt(mean(numbers.map((number) => (number - middle) ** 2)));
};

/// A number for people: with this many digits after the point, a true minus, no "-0".
export function text(number, digits = 2) {
  if (typeof number === "boolean") return number ? "1" : "0";
  if (number === null || Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "∞" : "−∞";
  if (Math.abs(number) >= 1e6) return number.toExponential(2).replace("-", "−").replace("e+", "e");
  const rounded = number.toFixed(digits);
  return (Number(rounded) === 0 ? rounded.replace("-", "") : rounded).replace("-", "−");
}

/// Random numbers that are the same for the same seed (mulberry32), and standard normal ones.
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function normal(seed) {
  const uniform = random(seed);
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
