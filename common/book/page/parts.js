// What figures are made of, to import from one place.

export * from "./arrays.js";
export * from "./bars.js";
export * from "./chart.js";
export * from "./controls.js";
export * from "./dom.js";
export * from "./matrix.js";
