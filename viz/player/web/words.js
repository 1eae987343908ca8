// What the player itself says, in both languages; the sentences of the steps come with the trace.

/** @import { Lang } from "./payload.d.ts" */

/** @type {Record<Lang, Record<string, string>>} */
const WORDS = {
  en: {
    forward: "Forward", backward: "Backward", build: "Build", run: "Run", optimize: "Update",
    step: "Step", steps: "Steps", of: "of", graph: "Graph", code: "Code", values: "Values",
    player: "Step player", timeline: "Timeline", controls: "Step controls",
    first: "First step (Home)", previous: "Previous step (←)", next: "Next step (→)",
    last: "Last step (End)", play: "Play or pause (space)", speed: "Speed",
    search: "Search", searchHint: "Search nodes ( / )", hits: "found", none: "none",
    zoomIn: "Zoom in (+)", zoomOut: "Zoom out (-)", fit: "Fit (0)",
    theme: "Light or dark", language: "中文", languageName: "切换到中文", lang: "en",
    open: "Open", close: "Close", selected: "Selected", clear: "Clear selection (Esc)",
    goto: "Go to step", line: "Go to the next step of line",
    missing: "not computed yet", noGradient: "None - no gradient",
    noValues: "No values at this step.", noCode: "No source.",
    empty: "Nothing was recorded: no Paddle operation ran inside the with block.",
    slope: "finite difference", eagerSide: "Tape", programSide: "Program", tooLarge: "Too large to show each element.", element: "Click a number to see all its digits.",
    input: "input", output: "output", saved: "saved for backward", grad_in: "gradient in",
    grad_out: "gradient out", before: "before", after: "after",
    zeros: "zeros for what did not arrive", skipped: "left out",
    notGiven: "not given to backward_func",
    min: "min", mean: "mean", max: "max", size: "elements", scalar: "scalar",
    data: "value", grad: "gradient", savedWire: "saved",
    cell: "Cell", escape: "Esc closes", scale: "colour of the numbers",
    within: "This box has no value of its own; open it to see the nodes inside.",
    valueless: "This box has no value of its own.",
    help: "Keys (?)", keys: "Keys", keyNext: "next step", keyPrevious: "previous step",
    keyEnds: "first, last step", space: "space", keyPlay: "play, pause",
    keySearch: "search nodes", keyZoom: "zoom in, out", keyFit: "fit the picture",
    keyPan: "move the picture", keyOpen: "open or close the box in focus",
    keyEscape: "let go of a number, a box, this panel", keyHelp: "these keys",
    op_forward: "operator", op_backward: "gradient operator", op_optimize: "update",
    kind_parameter: "parameter", kind_state: "persistable variable", kind_data: "data",
    histogram: "Histogram", sampled: "of every n-th element",
    first_nan: "First NaN: step", first_inf: "First Inf: step",
    memory: "Memory", memoryRows: "Memory blocks as rows (m)", memoryRest: "others",
    memoryFree: "free", memory_own: "own", memory_fed: "fed", memory_saved: "saved",
    memory_scope: "persistable", memory_leaf: "input", memory_new: "new",
    memory_gone: "gone", stepOne: "step", stepsFrom: "steps", stepEnd: "", keyMemory: "memory blocks as rows",
    colourBy: "Colour of the boxes (c)", by_kind: "Colour: kind", by_grad: "Colour: gradient", by_value: "Colour: value",
    keyColour: "colour boxes by gradient, by value", size_grad: "gradient (root mean square)", size_value: "value (root mean square)",
    scale_grad: "Gradient: root mean square of its elements, logarithmic scale",
    scale_value: "Value: root mean square of its elements, logarithmic scale",
    sizeEmpty: "nothing computed", sizeNone: "not computed", none_grad: "not computed", none_value: "not computed, or a gradient", sizeZero: "all zero",
    sizeOdd: "has NaN or Inf", sizeClosed: "closed box: the largest inside",
    minimap: "Map of the whole graph (o)", keyMinimap: "map of the whole graph",
    statistics: "Statistics of parameters and activations", statisticsRows: "Statistics as a table (t)",
    statisticsAt: "after step", statisticsNone: "No values yet.", keyStatistics: "statistics as a table",
    statisticsMore: "Not shown, sort by another column or use trace.statistics():",
    column_name: "name", column_kind: "kind", column_shape: "shape", column_mean: "mean", column_std: "std",
    column_min: "min", column_max: "max", column_zeros: "zeros", column_odd: "NaN, Inf", column_grad: "gradient (RMS)",
    column_update: "|update|/|value|", row_parameter: "parameter", row_state: "persistable",
    row_leaf: "leaf", row_activation: "activation",
  },
  zh: {
    forward: "前向", backward: "反向", build: "构建", run: "运行", optimize: "更新",
    step: "第", steps: "步骤", of: "/", graph: "计算图", code: "代码", values: "数值",
    player: "单步播放器", timeline: "时间轴", controls: "步进控制",
    first: "第一步 (Home)", previous: "上一步 (←)", next: "下一步 (→)",
    last: "最后一步 (End)", play: "播放或暂停 (空格)", speed: "速度",
    search: "搜索", searchHint: "搜索节点 ( / )", hits: "个结果", none: "无",
    zoomIn: "放大 (+)", zoomOut: "缩小 (-)", fit: "适合窗口 (0)",
    theme: "浅色或深色", language: "English", languageName: "Switch to English", lang: "zh-CN",
    open: "展开", close: "收起", selected: "选中", clear: "取消选择 (Esc)",
    goto: "转到步骤", line: "转到这一行的下一步：第",
    missing: "尚未计算", noGradient: "None - 没有梯度",
    noValues: "这一步没有数值。", noCode: "没有源代码。",
    empty: "没有录到任何步骤：with 里面没有运行 Paddle 运算。",
    slope: "有限差分", eagerSide: "动态图", programSide: "静态图", tooLarge: "数组太大，不逐个显示。", element: "点一个数，看完整精度。",
    input: "输入", output: "输出", saved: "为反向保存", grad_in: "传入梯度",
    grad_out: "传出梯度", before: "之前", after: "之后",
    zeros: "没有梯度传来，用零代替", skipped: "跳过",
    notGiven: "不传给 backward_func",
    min: "最小", mean: "平均", max: "最大", size: "个元素", scalar: "标量",
    data: "数值", grad: "梯度", savedWire: "保存",
    cell: "单元格", escape: "按 Esc 关闭", scale: "数值的颜色",
    within: "这个方框本身没有数值，点开里面的节点查看。",
    valueless: "这个方框本身没有数值。",
    help: "按键 (?)", keys: "按键", keyNext: "下一步", keyPrevious: "上一步",
    keyEnds: "第一步、最后一步", space: "空格", keyPlay: "播放、暂停",
    keySearch: "搜索节点", keyZoom: "放大、缩小", keyFit: "适合窗口",
    keyPan: "移动图", keyOpen: "展开或收起焦点所在的方框",
    keyEscape: "取消选中的数、方框，关闭本面板", keyHelp: "显示这些按键",
    op_forward: "算子", op_backward: "梯度算子", op_optimize: "更新算子",
    kind_parameter: "参数", kind_state: "持久变量", kind_data: "数据",
    histogram: "直方图", sampled: "每隔若干个元素取一个",
    first_nan: "第一个 NaN：第", first_inf: "第一个 Inf：第",
    memory: "内存", memoryRows: "逐行显示内存块 (m)", memoryRest: "其他",
    memoryFree: "空闲", memory_own: "独占", memory_fed: "喂入", memory_saved: "已保存",
    memory_scope: "持久", memory_leaf: "输入", memory_new: "新增",
    memory_gone: "释放", stepOne: "第", stepsFrom: "第", stepEnd: " 步", keyMemory: "逐行显示内存块",
    colourBy: "方框的颜色 (c)", by_kind: "着色：种类", by_grad: "着色：梯度", by_value: "着色：数值",
    keyColour: "按梯度、按数值给方框着色", size_grad: "梯度（均方根）", size_value: "数值（均方根）",
    scale_grad: "梯度：各元素的均方根，对数刻度", scale_value: "数值：各元素的均方根，对数刻度",
    sizeEmpty: "什么也没有计算", sizeNone: "尚未计算", none_grad: "尚未计算", none_value: "尚未计算，或是梯度", sizeZero: "全为零",
    sizeOdd: "含 NaN 或 Inf", sizeClosed: "收起的方框：取其中最大的",
    minimap: "全图缩略图 (o)", keyMinimap: "全图缩略图",
    statistics: "参数和激活的统计", statisticsRows: "统计表 (t)",
    statisticsAt: "执行到第", statisticsNone: "还没有数值。", keyStatistics: "统计表",
    statisticsMore: "未显示的行数（可按其他列排序，或用 trace.statistics()）：",
    column_name: "名称", column_kind: "种类", column_shape: "形状", column_mean: "平均", column_std: "标准差",
    column_min: "最小", column_max: "最大", column_zeros: "零的比例", column_odd: "NaN、Inf", column_grad: "梯度 (RMS)",
    column_update: "|更新|/|值|", row_parameter: "参数", row_state: "持久变量",
    row_leaf: "叶子", row_activation: "激活",
  },
};

/**
 * @param {string | null | undefined} wanted
 * @returns {Lang}
 */
export function startLanguage(wanted) {
  const names = [wanted, document.documentElement.lang, navigator.language];
  return names.find((name) => name)?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/** @typedef {ReturnType<typeof createWords>} Words */

/**
 * What is labelled follows the language; `follow` calls again whatever depends on it.
 * @param {Lang} lang
 */
export function createWords(lang) {
  /** @type {(() => void)[]} */
  const followers = [];
  const words = {
    lang,
    /** @param {string} key */
    say: (key) => WORDS[words.lang][key] ?? key,
    /** @param {() => void} update */
    follow(update) {
      followers.push(update);
      update();
    },
    /**
     * @template {Element} E
     * @param {E} element
     * @param {string} key
     * @param {string} [attribute]  for its text, if there is none
     */
    label(element, key, attribute) {
      words.follow(() => {
        if (attribute) element.setAttribute(attribute, words.say(key));
        else element.textContent = words.say(key);
      });
      return element;
    },
    /** @param {Lang} next */
    use(next) {
      words.lang = next;
      for (const update of followers) update();
    },
  };
  return words;
}
