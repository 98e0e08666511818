// A gradient at the weights, to pull, and what of it comes back to the scores.

import { answer, bars, button, matrix, panel, reading, row, softmax, sum, text, write } from "../../../book/parts.js";

const words = ["the", "cat", "sleeps", "."];
export const shows = { softmax_backward: ({ shape: [rows, keys], data }) => rows === 1 && keys > 0 && keys <= 6 && data.every((weight) => weight > 0) && Math.abs(sum(data) - 1) < 1e-9 };

export default function wayBack(figure) {
  figure.tell(
    "Pull g, the gradient at the weight of one key. All four scores get one, too: the weights share 1, so what one gains the others lose. " +
      "Give all weights the same g, and the scores get nothing. Let one weight be nearly 1, and hardly anything gets through.",
  );
  const [p, g] = figure.given("softmax_backward") ?? [null, { data: [0, 1, 0, 0] }];
  let scores = p ? p.data.map(Math.log) : [0, 2, 1, -1];
  let gradient = g.data;
  const keys = scores.map((_, j) => (p ? `key ${j}` : words[j]));

  const pulled = (label, each, y, classes, change) =>
    bars({ label, each, names: keys, y, ticks: [[y[0], text(y[0], 0)], [0, "0"], [y[1], text(y[1], 0)]], classes, change });
  const scoreBars = pulled("Scores", "score of", [-5, 5], "scores", (i, value) => { scores[i] = value; draw(); });
  const gradientBars = pulled("d_weights", "gradient at the weight of", [-2, 2], "weights", (i, value) => { gradient[i] = value; draw(); });
  const weightBars = bars({ label: "Weights", names: keys, y: [0, 1], ticks: [[0, "0"], [1, "1"]], digits: 3, classes: "weights" });
  const backBars = bars({ label: "d_scores", names: keys, y: [-1, 1], ticks: [[-1, "−1"], [0, "0"], [1, "1"]], digits: 3, classes: "scores" });
  const says = reading("mean");

  const ask = figure.caller("softmax_backward", (value, [weights, d_weights]) => {
    backBars.show(value?.data);
    const mean = sum(weights.data.map((weight, i) => weight * d_weights.data[i]));
    write(says, `The mean of g, weighted by p, is ${text(mean, 3)}. Where g lies above it, the score gets a positive gradient, below it a negative one.` +
      (value ? ` The four together: ${text(sum(value.data), 6)}.` : ""));
  }, { shape: () => [1, keys.length] });

  function draw() {
    const weights = softmax(scores);
    scoreBars.show(scores);
    gradientBars.show(gradient);
    weightBars.show(weights);
    ask(matrix([weights]), matrix([gradient]));
  }
  const put = (now) => () => { ({ scores, gradient } = { scores, gradient, ...now() }); draw(); };
  figure.add(
    row(panel("scores: pull them", scoreBars), panel("weights p, their softmax", weightBars)),
    row(panel("g = d_weights: pull them", gradientBars), panel("d_scores = softmax_backward(p, g)", answer(backBars))),
    says,
    row(button("the same g for all", put(() => ({ gradient: keys.map(() => 1) }))), button("one weight nearly 1", put(() => ({ scores: keys.map((_, j) => (j === 1 ? 5 : -j)) })))),
  );
  draw();
}
