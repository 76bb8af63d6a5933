// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{options} = --winograd=safe
// DEFINE: %{expect} = --input random:3 --expect ya=%t/ya.npy --expect yb=%t/yb.npy --expect yc=%t/yc.npy --expect yd=%t/yd.npy --expect ye=%t/ye.npy --expect yf=%t/yf.npy --rtol 2e-3 --atol 1e-5
// DEFINE: %{agree} = tenon-compile %s %{options} -o %t/a.tenon | FileCheck %s && tenon-run %t/a.tenon %{expect} --threads 1 && tenon-run %t/a.tenon %{expect} --threads 3 && tenon-compile %s %{options} --mcpu=haswell -o %t/b.tenon --quiet && tenon-compile %s %{options} --mcpu=x86-64 -o %t/c.tenon --quiet && tenon-run %t/c.tenon %{expect} --threads 2
// RUN: %{agree}
// RUN: %if avx2 %{ tenon-run %t/b.tenon %{expect} %}
// REDEFINE: %{options} = --winograd=exact
// RUN: %{agree}
// RUN: %if avx2 %{ tenon-run %t/b.tenon %{expect} %}
// REDEFINE: %{options} = --winograd=max --guard-memory
// RUN: %{agree}
// RUN: %if avx2 %{ tenon-run %t/b.tenon %{expect} %}
// RUN: tenon-compile %s --strict -o %t/a.tenon | FileCheck %s --check-prefix=STRICT
// RUN: tenon-run %t/a.tenon %{expect}
// CHECK: winograd_
// CHECK: rounding errors
// STRICT-NOT: winograd_

// Infinities, NaN and a number near the largest stay within the windows that
// hold them, however a convolution is computed: rests of tiles and of filters,
// 7 x 7 in windows of three taps with padding among the last, one dimension
// with a dilation, five taps, groups, and a third dimension in front.
func.func @main(%a: tensor<1x16x14x13xf32> {onnx.name = "a"}, %b: tensor<1x16x20x22xf32> {onnx.name = "b"}, %c: tensor<2x32x60xf32> {onnx.name = "c"}, %d: tensor<1x64x200xf32> {onnx.name = "d"}, %e: tensor<1x64x28x28xf32> {onnx.name = "e"}, %f: tensor<1x16x4x16x16xf32> {onnx.name = "f"})
    -> (tensor<1x20x14x13xf32> {onnx.name = "ya"}, tensor<1x32x20x22xf32> {onnx.name = "yb"}, tensor<2x32x60xf32> {onnx.name = "yc"}, tensor<1x64x200xf32> {onnx.name = "yd"}, tensor<1x64x28x28xf32> {onnx.name = "ye"}, tensor<1x32x4x16x16xf32> {onnx.name = "yf"}) {
  %v1 = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %v2 = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %v3 = "onnx.Constant"() {value = dense<2912.0> : tensor<f32>} : () -> tensor<f32>
  %v4 = "onnx.Range"(%v1, %v3, %v2) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2912xf32>
  %v5 = "onnx.Constant"() {value = dense<606.0> : tensor<f32>} : () -> tensor<f32>
  %v6 = "onnx.Equal"(%v4, %v5) : (tensor<2912xf32>, tensor<f32>) -> tensor<2912xi1>
  %v7 = "onnx.Constant"() {value = dense<0x7F800000> : tensor<f32>} : () -> tensor<f32>
  %v8 = "onnx.Where"(%v6, %v7, %v1) : (tensor<2912xi1>, tensor<f32>, tensor<f32>) -> tensor<2912xf32>
  %v9 = "onnx.Constant"() {value = dense<1001.0> : tensor<f32>} : () -> tensor<f32>
  %v10 = "onnx.Equal"(%v4, %v9) : (tensor<2912xf32>, tensor<f32>) -> tensor<2912xi1>
  %v11 = "onnx.Constant"() {value = dense<0x7FC00000> : tensor<f32>} : () -> tensor<f32>
  %v12 = "onnx.Where"(%v10, %v11, %v8) : (tensor<2912xi1>, tensor<f32>, tensor<2912xf32>) -> tensor<2912xf32>
  %v13 = "onnx.Constant"() {value = dense<2910.0> : tensor<f32>} : () -> tensor<f32>
  %v14 = "onnx.Equal"(%v4, %v13) : (tensor<2912xf32>, tensor<f32>) -> tensor<2912xi1>
  %v15 = "onnx.Constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %v16 = "onnx.Where"(%v14, %v15, %v12) : (tensor<2912xi1>, tensor<f32>, tensor<2912xf32>) -> tensor<2912xf32>
  %v17 = "onnx.Constant"() {value = dense<2685.0> : tensor<f32>} : () -> tensor<f32>
  %v18 = "onnx.Equal"(%v4, %v17) : (tensor<2912xf32>, tensor<f32>) -> tensor<2912xi1>
  %v19 = "onnx.Constant"() {value = dense<3.0e38> : tensor<f32>} : () -> tensor<f32>
  %v20 = "onnx.Where"(%v18, %v19, %v16) : (tensor<2912xi1>, tensor<f32>, tensor<2912xf32>) -> tensor<2912xf32>
  %v21 = "onnx.Constant"() {value = dense<[1, 16, 14, 13]> : tensor<4xi64>} : () -> tensor<4xi64>
  %v22 = "onnx.Reshape"(%v20, %v21) : (tensor<2912xf32>, tensor<4xi64>) -> tensor<1x16x14x13xf32>
  %v23 = "onnx.Add"(%a, %v22) : (tensor<1x16x14x13xf32>, tensor<1x16x14x13xf32>) -> tensor<1x16x14x13xf32>
  %v24 = "onnx.Constant"() {value = dense<2880.0> : tensor<f32>} : () -> tensor<f32>
  %v25 = "onnx.Range"(%v1, %v24, %v2) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2880xf32>
  %v26 = "onnx.Sin"(%v25) : (tensor<2880xf32>) -> tensor<2880xf32>
  %v27 = "onnx.Constant"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %v28 = "onnx.Mul"(%v26, %v27) : (tensor<2880xf32>, tensor<f32>) -> tensor<2880xf32>
  %v29 = "onnx.Constant"() {value = dense<[20, 16, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %v30 = "onnx.Reshape"(%v28, %v29) : (tensor<2880xf32>, tensor<4xi64>) -> tensor<20x16x3x3xf32>
  %v31 = "onnx.NoValue"() : () -> none
  %v32 = "onnx.Conv"(%v23, %v30, %v31) {dilations = array<i64: 1, 1>, group = 1 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x14x13xf32>, tensor<20x16x3x3xf32>, none) -> tensor<1x20x14x13xf32>
  %v33 = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %v34 = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %v35 = "onnx.Constant"() {value = dense<7040.0> : tensor<f32>} : () -> tensor<f32>
  %v36 = "onnx.Range"(%v33, %v35, %v34) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<7040xf32>
  %v37 = "onnx.Constant"() {value = dense<1466.0> : tensor<f32>} : () -> tensor<f32>
  %v38 = "onnx.Equal"(%v36, %v37) : (tensor<7040xf32>, tensor<f32>) -> tensor<7040xi1>
  %v39 = "onnx.Constant"() {value = dense<0x7F800000> : tensor<f32>} : () -> tensor<f32>
  %v40 = "onnx.Where"(%v38, %v39, %v33) : (tensor<7040xi1>, tensor<f32>, tensor<f32>) -> tensor<7040xf32>
  %v41 = "onnx.Constant"() {value = dense<2420.0> : tensor<f32>} : () -> tensor<f32>
  %v42 = "onnx.Equal"(%v36, %v41) : (tensor<7040xf32>, tensor<f32>) -> tensor<7040xi1>
  %v43 = "onnx.Constant"() {value = dense<0x7FC00000> : tensor<f32>} : () -> tensor<f32>
  %v44 = "onnx.Where"(%v42, %v43, %v40) : (tensor<7040xi1>, tensor<f32>, tensor<7040xf32>) -> tensor<7040xf32>
  %v45 = "onnx.Constant"() {value = dense<7038.0> : tensor<f32>} : () -> tensor<f32>
  %v46 = "onnx.Equal"(%v36, %v45) : (tensor<7040xf32>, tensor<f32>) -> tensor<7040xi1>
  %v47 = "onnx.Constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %v48 = "onnx.Where"(%v46, %v47, %v44) : (tensor<7040xi1>, tensor<f32>, tensor<7040xf32>) -> tensor<7040xf32>
  %v49 = "onnx.Constant"() {value = dense<6490.0> : tensor<f32>} : () -> tensor<f32>
  %v50 = "onnx.Equal"(%v36, %v49) : (tensor<7040xf32>, tensor<f32>) -> tensor<7040xi1>
  %v51 = "onnx.Constant"() {value = dense<3.0e38> : tensor<f32>} : () -> tensor<f32>
  %v52 = "onnx.Where"(%v50, %v51, %v48) : (tensor<7040xi1>, tensor<f32>, tensor<7040xf32>) -> tensor<7040xf32>
  %v53 = "onnx.Constant"() {value = dense<[1, 16, 20, 22]> : tensor<4xi64>} : () -> tensor<4xi64>
  %v54 = "onnx.Reshape"(%v52, %v53) : (tensor<7040xf32>, tensor<4xi64>) -> tensor<1x16x20x22xf32>
  %v55 = "onnx.Add"(%b, %v54) : (tensor<1x16x20x22xf32>, tensor<1x16x20x22xf32>) -> tensor<1x16x20x22xf32>
  %v56 = "onnx.Constant"() {value = dense<25088.0> : tensor<f32>} : () -> tensor<f32>
  %v57 = "onnx.Range"(%v33, %v56, %v34) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<25088xf32>
  %v58 = "onnx.Sin"(%v57) : (tensor<25088xf32>) -> tensor<25088xf32>
  %v59 = "onnx.Constant"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %v60 = "onnx.Mul"(%v58, %v59) : (tensor<25088xf32>, tensor<f32>) -> tensor<25088xf32>
  %v61 = "onnx.Constant"() {value = dense<[32, 16, 7, 7]> : tensor<4xi64>} : () -> tensor<4xi64>
  %v62 = "onnx.Reshape"(%v60, %v61) : (tensor<25088xf32>, tensor<4xi64>) -> tensor<32x16x7x7xf32>
  %v63 = "onnx.NoValue"() : () -> none
  %v64 = "onnx.Conv"(%v55, %v62, %v63) {dilations = array<i64: 1, 1>, group = 1 : i64, pads = array<i64: 3, 3, 3, 3>} : (tensor<1x16x20x22xf32>, tensor<32x16x7x7xf32>, none) -> tensor<1x32x20x22xf32>
  %v65 = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %v66 = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %v67 = "onnx.Constant"() {value = dense<3840.0> : tensor<f32>} : () -> tensor<f32>
  %v68 = "onnx.Range"(%v65, %v67, %v66) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3840xf32>
  %v69 = "onnx.Constant"() {value = dense<200.0> : tensor<f32>} : () -> tensor<f32>
  %v70 = "onnx.Equal"(%v68, %v69) : (tensor<3840xf32>, tensor<f32>) -> tensor<3840xi1>
  %v71 = "onnx.Constant"() {value = dense<0x7F800000> : tensor<f32>} : () -> tensor<f32>
  %v72 = "onnx.Where"(%v70, %v71, %v65) : (tensor<3840xi1>, tensor<f32>, tensor<f32>) -> tensor<3840xf32>
  %v73 = "onnx.Constant"() {value = dense<330.0> : tensor<f32>} : () -> tensor<f32>
  %v74 = "onnx.Equal"(%v68, %v73) : (tensor<3840xf32>, tensor<f32>) -> tensor<3840xi1>
  %v75 = "onnx.Constant"() {value = dense<0x7FC00000> : tensor<f32>} : () -> tensor<f32>
  %v76 = "onnx.Where"(%v74, %v75, %v72) : (tensor<3840xi1>, tensor<f32>, tensor<3840xf32>) -> tensor<3840xf32>
  %v77 = "onnx.Constant"() {value = dense<3838.0> : tensor<f32>} : () -> tensor<f32>
  %v78 = "onnx.Equal"(%v68, %v77) : (tensor<3840xf32>, tensor<f32>) -> tensor<3840xi1>
  %v79 = "onnx.Constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %v80 = "onnx.Where"(%v78, %v79, %v76) : (tensor<3840xi1>, tensor<f32>, tensor<3840xf32>) -> tensor<3840xf32>
  %v81 = "onnx.Constant"() {value = dense<3765.0> : tensor<f32>} : () -> tensor<f32>
  %v82 = "onnx.Equal"(%v68, %v81) : (tensor<3840xf32>, tensor<f32>) -> tensor<3840xi1>
  %v83 = "onnx.Constant"() {value = dense<3.0e38> : tensor<f32>} : () -> tensor<f32>
  %v84 = "onnx.Where"(%v82, %v83, %v80) : (tensor<3840xi1>, tensor<f32>, tensor<3840xf32>) -> tensor<3840xf32>
  %v85 = "onnx.Constant"() {value = dense<[2, 32, 60]> : tensor<3xi64>} : () -> tensor<3xi64>
  %v86 = "onnx.Reshape"(%v84, %v85) : (tensor<3840xf32>, tensor<3xi64>) -> tensor<2x32x60xf32>
  %v87 = "onnx.Add"(%c, %v86) : (tensor<2x32x60xf32>, tensor<2x32x60xf32>) -> tensor<2x32x60xf32>
  %v88 = "onnx.Constant"() {value = dense<3072.0> : tensor<f32>} : () -> tensor<f32>
  %v89 = "onnx.Range"(%v65, %v88, %v66) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3072xf32>
  %v90 = "onnx.Sin"(%v89) : (tensor<3072xf32>) -> tensor<3072xf32>
  %v91 = "onnx.Constant"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %v92 = "onnx.Mul"(%v90, %v91) : (tensor<3072xf32>, tensor<f32>) -> tensor<3072xf32>
  %v93 = "onnx.Constant"() {value = dense<[32, 32, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %v94 = "onnx.Reshape"(%v92, %v93) : (tensor<3072xf32>, tensor<3xi64>) -> tensor<32x32x3xf32>
  %v95 = "onnx.NoValue"() : () -> none
  %v96 = "onnx.Conv"(%v87, %v94, %v95) {dilations = array<i64: 2>, group = 1 : i64, pads = array<i64: 2, 2>} : (tensor<2x32x60xf32>, tensor<32x32x3xf32>, none) -> tensor<2x32x60xf32>
  %v97 = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %v98 = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %v99 = "onnx.Constant"() {value = dense<12800.0> : tensor<f32>} : () -> tensor<f32>
  %v100 = "onnx.Range"(%v97, %v99, %v98) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<12800xf32>
  %v101 = "onnx.Constant"() {value = dense<666.0> : tensor<f32>} : () -> tensor<f32>
  %v102 = "onnx.Equal"(%v100, %v101) : (tensor<12800xf32>, tensor<f32>) -> tensor<12800xi1>
  %v103 = "onnx.Constant"() {value = dense<0x7F800000> : tensor<f32>} : () -> tensor<f32>
  %v104 = "onnx.Where"(%v102, %v103, %v97) : (tensor<12800xi1>, tensor<f32>, tensor<f32>) -> tensor<12800xf32>
  %v105 = "onnx.Constant"() {value = dense<1100.0> : tensor<f32>} : () -> tensor<f32>
  %v106 = "onnx.Equal"(%v100, %v105) : (tensor<12800xf32>, tensor<f32>) -> tensor<12800xi1>
  %v107 = "onnx.Constant"() {value = dense<0x7FC00000> : tensor<f32>} : () -> tensor<f32>
  %v108 = "onnx.Where"(%v106, %v107, %v104) : (tensor<12800xi1>, tensor<f32>, tensor<12800xf32>) -> tensor<12800xf32>
  %v109 = "onnx.Constant"() {value = dense<12798.0> : tensor<f32>} : () -> tensor<f32>
  %v110 = "onnx.Equal"(%v100, %v109) : (tensor<12800xf32>, tensor<f32>) -> tensor<12800xi1>
  %v111 = "onnx.Constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %v112 = "onnx.Where"(%v110, %v111, %v108) : (tensor<12800xi1>, tensor<f32>, tensor<12800xf32>) -> tensor<12800xf32>
  %v113 = "onnx.Constant"() {value = dense<12550.0> : tensor<f32>} : () -> tensor<f32>
  %v114 = "onnx.Equal"(%v100, %v113) : (tensor<12800xf32>, tensor<f32>) -> tensor<12800xi1>
  %v115 = "onnx.Constant"() {value = dense<3.0e38> : tensor<f32>} : () -> tensor<f32>
  %v116 = "onnx.Where"(%v114, %v115, %v112) : (tensor<12800xi1>, tensor<f32>, tensor<12800xf32>) -> tensor<12800xf32>
  %v117 = "onnx.Constant"() {value = dense<[1, 64, 200]> : tensor<3xi64>} : () -> tensor<3xi64>
  %v118 = "onnx.Reshape"(%v116, %v117) : (tensor<12800xf32>, tensor<3xi64>) -> tensor<1x64x200xf32>
  %v119 = "onnx.Add"(%d, %v118) : (tensor<1x64x200xf32>, tensor<1x64x200xf32>) -> tensor<1x64x200xf32>
  %v120 = "onnx.Constant"() {value = dense<20480.0> : tensor<f32>} : () -> tensor<f32>
  %v121 = "onnx.Range"(%v97, %v120, %v98) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<20480xf32>
  %v122 = "onnx.Sin"(%v121) : (tensor<20480xf32>) -> tensor<20480xf32>
  %v123 = "onnx.Constant"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %v124 = "onnx.Mul"(%v122, %v123) : (tensor<20480xf32>, tensor<f32>) -> tensor<20480xf32>
  %v125 = "onnx.Constant"() {value = dense<[64, 64, 5]> : tensor<3xi64>} : () -> tensor<3xi64>
  %v126 = "onnx.Reshape"(%v124, %v125) : (tensor<20480xf32>, tensor<3xi64>) -> tensor<64x64x5xf32>
  %v127 = "onnx.NoValue"() : () -> none
  %v128 = "onnx.Conv"(%v119, %v126, %v127) {dilations = array<i64: 1>, group = 1 : i64, pads = array<i64: 2, 2>} : (tensor<1x64x200xf32>, tensor<64x64x5xf32>, none) -> tensor<1x64x200xf32>
  %v129 = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %v130 = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %v131 = "onnx.Constant"() {value = dense<50176.0> : tensor<f32>} : () -> tensor<f32>
  %v132 = "onnx.Range"(%v129, %v131, %v130) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<50176xf32>
  %v133 = "onnx.Constant"() {value = dense<2613.0> : tensor<f32>} : () -> tensor<f32>
  %v134 = "onnx.Equal"(%v132, %v133) : (tensor<50176xf32>, tensor<f32>) -> tensor<50176xi1>
  %v135 = "onnx.Constant"() {value = dense<0x7F800000> : tensor<f32>} : () -> tensor<f32>
  %v136 = "onnx.Where"(%v134, %v135, %v129) : (tensor<50176xi1>, tensor<f32>, tensor<f32>) -> tensor<50176xf32>
  %v137 = "onnx.Constant"() {value = dense<4312.0> : tensor<f32>} : () -> tensor<f32>
  %v138 = "onnx.Equal"(%v132, %v137) : (tensor<50176xf32>, tensor<f32>) -> tensor<50176xi1>
  %v139 = "onnx.Constant"() {value = dense<0x7FC00000> : tensor<f32>} : () -> tensor<f32>
  %v140 = "onnx.Where"(%v138, %v139, %v136) : (tensor<50176xi1>, tensor<f32>, tensor<50176xf32>) -> tensor<50176xf32>
  %v141 = "onnx.Constant"() {value = dense<50174.0> : tensor<f32>} : () -> tensor<f32>
  %v142 = "onnx.Equal"(%v132, %v141) : (tensor<50176xf32>, tensor<f32>) -> tensor<50176xi1>
  %v143 = "onnx.Constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %v144 = "onnx.Where"(%v142, %v143, %v140) : (tensor<50176xi1>, tensor<f32>, tensor<50176xf32>) -> tensor<50176xf32>
  %v145 = "onnx.Constant"() {value = dense<49196.0> : tensor<f32>} : () -> tensor<f32>
  %v146 = "onnx.Equal"(%v132, %v145) : (tensor<50176xf32>, tensor<f32>) -> tensor<50176xi1>
  %v147 = "onnx.Constant"() {value = dense<3.0e38> : tensor<f32>} : () -> tensor<f32>
  %v148 = "onnx.Where"(%v146, %v147, %v144) : (tensor<50176xi1>, tensor<f32>, tensor<50176xf32>) -> tensor<50176xf32>
  %v149 = "onnx.Constant"() {value = dense<[1, 64, 28, 28]> : tensor<4xi64>} : () -> tensor<4xi64>
  %v150 = "onnx.Reshape"(%v148, %v149) : (tensor<50176xf32>, tensor<4xi64>) -> tensor<1x64x28x28xf32>
  %v151 = "onnx.Add"(%e, %v150) : (tensor<1x64x28x28xf32>, tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  %v152 = "onnx.Constant"() {value = dense<9216.0> : tensor<f32>} : () -> tensor<f32>
  %v153 = "onnx.Range"(%v129, %v152, %v130) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<9216xf32>
  %v154 = "onnx.Sin"(%v153) : (tensor<9216xf32>) -> tensor<9216xf32>
  %v155 = "onnx.Constant"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %v156 = "onnx.Mul"(%v154, %v155) : (tensor<9216xf32>, tensor<f32>) -> tensor<9216xf32>
  %v157 = "onnx.Constant"() {value = dense<[64, 16, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %v158 = "onnx.Reshape"(%v156, %v157) : (tensor<9216xf32>, tensor<4xi64>) -> tensor<64x16x3x3xf32>
  %v159 = "onnx.NoValue"() : () -> none
  %v160 = "onnx.Conv"(%v151, %v158, %v159) {dilations = array<i64: 1, 1>, group = 4 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x28x28xf32>, tensor<64x16x3x3xf32>, none) -> tensor<1x64x28x28xf32>
  %v161 = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %v162 = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %v163 = "onnx.Constant"() {value = dense<16384.0> : tensor<f32>} : () -> tensor<f32>
  %v164 = "onnx.Range"(%v161, %v163, %v162) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<16384xf32>
  %v165 = "onnx.Constant"() {value = dense<3413.0> : tensor<f32>} : () -> tensor<f32>
  %v166 = "onnx.Equal"(%v164, %v165) : (tensor<16384xf32>, tensor<f32>) -> tensor<16384xi1>
  %v167 = "onnx.Constant"() {value = dense<0x7F800000> : tensor<f32>} : () -> tensor<f32>
  %v168 = "onnx.Where"(%v166, %v167, %v161) : (tensor<16384xi1>, tensor<f32>, tensor<f32>) -> tensor<16384xf32>
  %v169 = "onnx.Constant"() {value = dense<5632.0> : tensor<f32>} : () -> tensor<f32>
  %v170 = "onnx.Equal"(%v164, %v169) : (tensor<16384xf32>, tensor<f32>) -> tensor<16384xi1>
  %v171 = "onnx.Constant"() {value = dense<0x7FC00000> : tensor<f32>} : () -> tensor<f32>
  %v172 = "onnx.Where"(%v170, %v171, %v168) : (tensor<16384xi1>, tensor<f32>, tensor<16384xf32>) -> tensor<16384xf32>
  %v173 = "onnx.Constant"() {value = dense<16382.0> : tensor<f32>} : () -> tensor<f32>
  %v174 = "onnx.Equal"(%v164, %v173) : (tensor<16384xf32>, tensor<f32>) -> tensor<16384xi1>
  %v175 = "onnx.Constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %v176 = "onnx.Where"(%v174, %v175, %v172) : (tensor<16384xi1>, tensor<f32>, tensor<16384xf32>) -> tensor<16384xf32>
  %v177 = "onnx.Constant"() {value = dense<15104.0> : tensor<f32>} : () -> tensor<f32>
  %v178 = "onnx.Equal"(%v164, %v177) : (tensor<16384xf32>, tensor<f32>) -> tensor<16384xi1>
  %v179 = "onnx.Constant"() {value = dense<3.0e38> : tensor<f32>} : () -> tensor<f32>
  %v180 = "onnx.Where"(%v178, %v179, %v176) : (tensor<16384xi1>, tensor<f32>, tensor<16384xf32>) -> tensor<16384xf32>
  %v181 = "onnx.Constant"() {value = dense<[1, 16, 4, 16, 16]> : tensor<5xi64>} : () -> tensor<5xi64>
  %v182 = "onnx.Reshape"(%v180, %v181) : (tensor<16384xf32>, tensor<5xi64>) -> tensor<1x16x4x16x16xf32>
  %v183 = "onnx.Add"(%f, %v182) : (tensor<1x16x4x16x16xf32>, tensor<1x16x4x16x16xf32>) -> tensor<1x16x4x16x16xf32>
  %v184 = "onnx.Constant"() {value = dense<13824.0> : tensor<f32>} : () -> tensor<f32>
  %v185 = "onnx.Range"(%v161, %v184, %v162) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<13824xf32>
  %v186 = "onnx.Sin"(%v185) : (tensor<13824xf32>) -> tensor<13824xf32>
  %v187 = "onnx.Constant"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %v188 = "onnx.Mul"(%v186, %v187) : (tensor<13824xf32>, tensor<f32>) -> tensor<13824xf32>
  %v189 = "onnx.Constant"() {value = dense<[32, 16, 3, 3, 3]> : tensor<5xi64>} : () -> tensor<5xi64>
  %v190 = "onnx.Reshape"(%v188, %v189) : (tensor<13824xf32>, tensor<5xi64>) -> tensor<32x16x3x3x3xf32>
  %v191 = "onnx.NoValue"() : () -> none
  %v192 = "onnx.Conv"(%v183, %v190, %v191) {dilations = array<i64: 1, 1, 1>, group = 1 : i64, pads = array<i64: 1, 1, 1, 1, 1, 1>} : (tensor<1x16x4x16x16xf32>, tensor<32x16x3x3x3xf32>, none) -> tensor<1x32x4x16x16xf32>
  return %v32, %v64, %v96, %v128, %v160, %v192 : tensor<1x20x14x13xf32>, tensor<1x32x20x22xf32>, tensor<2x32x60xf32>, tensor<1x64x200xf32>, tensor<1x64x28x28xf32>, tensor<1x32x4x16x16xf32>
}
