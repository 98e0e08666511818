
set datafile separator comma
set datafile missing "nan"
data = "entropy_vs_dk.csv"

scaled = "#074a48"   # the colours of show/palette.hpp
unscaled = "#816000"
grey = "#666666"     # theory

# The band of an arm's quantity: mean ± the standard deviation of one trial; of gains, which are few
# large ones among many that are nearly 0, median and quartiles.
low(what) = column(what) - column(what."_deviation")
high(what) = column(what) + column(what."_deviation")

do for [format in "svg png"] {
  if (format eq "svg") {
    set terminal svg size 1120,600 font "Helvetica,14" background "white"
  } else {
    set terminal pngcairo size 1680,900 font "Helvetica,14" fontscale 1.5 linewidth 1.5
  }
  set output "entropy_vs_dk.".format

  set multiplot
  set logscale x 2
  set xrange [1:max_dk]
  set format x "%.0f"
  set border 3 linecolor rgb grey linewidth 1
  set tics nomirror out scale 0.6
  set grid ytics linecolor rgb "#E4E4E4" linewidth 1 linetype 1
  set style fill transparent solid 0.22 noborder

  # ---- entropy
  set origin 0.0, 0.0
  set size 0.62, 1.0
  set lmargin 8; set rmargin 3; set tmargin 4; set bmargin 4
  set title sprintf("Entropy of the attention weights over %d keys", n_keys) font ",17"
  set xlabel "d_k, components of a query and of a key" noenhanced
  set ylabel "nats" offset 1, 0
  set yrange [0:1.12 * log(n_keys) + 0.05]
  set key at graph 1.0, 0.74 right top samplen 2.2 spacing 1.12 width -7 noenhanced
  set label 1 sprintf("ln %d: all keys alike", n_keys) at graph 0.99, first log(n_keys) right offset 0, 0.7 textcolor rgb grey
  plot log(n_keys) notitle with lines dashtype 2 linecolor rgb grey, \
       data using "d_k":(low("scaled_entropy")):(high("scaled_entropy")) notitle with filledcurves linecolor rgb scaled, \
       data using "d_k":(low("unscaled_entropy")):(high("unscaled_entropy")) notitle with filledcurves linecolor rgb unscaled, \
       data using "d_k":"scaled_entropy" title "softmax(QKᵀ/√d_k), simulated" with lines linecolor rgb scaled linewidth 3, \
       data using "d_k":"unscaled_entropy" title "softmax(QKᵀ), simulated" with lines linecolor rgb unscaled linewidth 3, \
       data using "d_k":"scaled_exact" title "exact expectation, both" with lines linecolor rgb "black" linewidth 1, \
       data using "d_k":"unscaled_exact" notitle with lines linecolor rgb "black" linewidth 1, \
       data using "d_k":"unscaled_predicted" title "rough prediction, true as n_keys → ∞" with lines dashtype 3 linewidth 2 linecolor rgb grey, \
       predicted_scaled notitle with lines dashtype 3 linewidth 2 linecolor rgb grey
  unset label 1
  unset key

  # ---- largest weight, and what gets through of a gradient
  set size 0.38, 0.5
  set lmargin 8; set rmargin 3; set tmargin 3; set bmargin 3.5
  set yrange [0:1]
  set origin 0.62, 0.5
  set title "Largest weight" font ",15"
  set ylabel "share of the attention" offset 1, 0
  set xlabel "d_k" noenhanced
  plot for [arm in "scaled unscaled"] data using "d_k":(low(arm."_largest_weight")):(high(arm."_largest_weight")) \
         notitle with filledcurves linecolor rgb (arm eq "scaled" ? scaled : unscaled), \
       for [arm in "scaled unscaled"] data using "d_k":arm."_largest_weight" \
         notitle with lines linewidth 3 linecolor rgb (arm eq "scaled" ? scaled : unscaled)
  set yrange [0:0.5]
  set origin 0.62, 0.0
  set title "Gradient gain" font ",15"
  set ylabel "median and quartiles" offset 1, 0
  plot for [arm in "scaled unscaled"] data using "d_k":arm."_gain_lower":arm."_gain_upper" \
         notitle with filledcurves linecolor rgb (arm eq "scaled" ? scaled : unscaled), \
       for [arm in "scaled unscaled"] data using "d_k":arm."_gain_median" \
         notitle with lines linewidth 3 linecolor rgb (arm eq "scaled" ? scaled : unscaled)
  unset multiplot
  set output
}
