"""The words of pictures, tables and the player, in both languages; a fact is worded once.

The sentences of the steps are made in `story/sentences`; why a gradient is missing is worded in
`minipaddle/engine/reasons.py`. `player/page.py` gives all these words to the player, whose code
names them by the same keys.
"""

from __future__ import annotations

from collections.abc import Mapping

from minipaddle.engine.bilingual import Text

LANGUAGES = ("en", "zh")

WORDS: Mapping[str, Text] = {
    # Many ranks side by side.
    "ranksPicture": Text("The ranks, from top to bottom", "各个 rank，从上到下"),
    "ranksValues": Text("Lines and values in this row", "这一行的代码与数值"),
    "foldRanks": Text("Fold equal ranks (f)", "合并相同的 rank (f)"),
    # Phases of a run and lanes of a picture.
    "forward": Text("Forward", "前向"),
    "backward": Text("Backward", "反向"),
    "build": Text("Build", "组网"),
    "run": Text("Run", "运行"),
    "optimize": Text("Parameter update", "参数更新"),
    "updates": Text("Update", "更新"),  # above its lane, which may be one box wide
    # What a value is to a step, in the inspector.
    "input": Text("input", "输入"),
    "output": Text("output", "输出"),
    "saved": Text("saved for backward", "为反向保存"),
    "grad_in": Text("gradient in", "传入梯度"),
    "grad_out": Text("gradient out", "传出梯度"),
    "final": Text("gradient kept", "保留的梯度"),
    "before": Text("before", "之前"),
    "after": Text("after", "之后"),
    "taken": Text("subtracted", "减去"),
    "zeros": Text("zeros in place of a missing gradient", "没有梯度传来，用全 0 代替"),
    "skipped": Text("left out", "未传入"),
    "rate": Text("learning rate", "学习率"),
    "constant": Text("constant", "常数"),
    # The same at the beginning of a line of the transcript.
    "input_short": Text("in", "输入"),
    "output_short": Text("out", "输出"),
    "saved_short": Text("saved", "保存"),
    "grad_in_short": Text("arrives", "传入梯度"),
    "grad_out_short": Text("gives", "传出梯度"),
    "final_short": Text("keeps", "保留的梯度"),
    "before_short": Text("before", "之前"),
    "after_short": Text("after", "之后"),
    "zeros_short": Text("zeros for", "用全 0 代替"),
    "skipped_short": Text("skipped", "未传入"),
    # What there is to see of an error, beside its sentence.
    "fault": Text("error", "出错"),
    "fault_expected": Text("expected", "要求"),
    "fault_received": Text("received", "实际"),
    "fault_todo": Text("to do", "怎么办"),
    "fault_tried": Text("tried", "试过"),
    # The legend: wires, operators, tensors; and which of several passes a lane shows.
    "data": Text("value", "数值"),
    "grad": Text("gradient", "梯度"),
    "savedWire": Text("saved", "保存"),
    "op_forward": Text("operator", "算子"),
    "op_backward": Text("gradient operator", "反向算子"),
    "op_optimize": Text("update", "参数更新"),
    "kind_parameter": Text("parameter", "参数"),
    "kind_buffer": Text("buffer", "buffer"),
    "kind_state": Text("persistable variable", "持久性变量"),
    "kind_data": Text("data", "数据"),
    "special": Text("your own op", "自定义算子"),
    "pass": Text("pass", "第"),
    # What boxes say beside names: titles, and badges by their kinds.
    "backwardOf": Text("{of} backward", "{of} 的反向"),
    "backwardOfPart": Text("backward of {of}", "{of}的反向"),
    "partLayers": Text("{count} layers", "{count} 个层"),
    "partOps": Text("{count} operations", "{count} 个运算"),
    "partMixed": Text("{count} layers and operations", "{count} 个层和运算"),
    "function": Text("function", "函数"),
    "badge_zeros": Text("zeros", "补 0"),
    "badge_error": Text("error", "出错"),
    "badge_skipped": Text("skipped", "未传入"),
    "badge_first_nan": Text("first NaN", "首个 NaN"),
    "badge_first_inf": Text("first Inf", "首个 Inf"),
    "badge_mark_not_inplace": Text("not in-place", "非原地"),
    "badge_mark_non_differentiable": Text("non-differentiable", "不可导"),
    "badge_materialize": Text("materialize: zeros", "缺失梯度补 0"),
    "badge_no_materialize": Text("materialize: None", "缺失梯度为 None"),
    "badge_dtype": Text("grad in dtype: True", "梯度转为输出的数据类型"),
    "badge_no_dtype": Text("grad in dtype: False", "梯度保持原有的数据类型"),
    # A picture in words, for those who cannot see it.
    "picture": Text("Computation graph", "计算图"),
    "pictureMore": Text(" and {count} more", "，另有 {count} 个"),
    "pictureSaved": Text("Values kept for backward: {count}.", "为反向保存的值：{count} 个。"),
    # Colours and sizes.
    "colourBy": Text("Colour of the boxes (c)", "方框的颜色 (c)"),
    "by_kind": Text("Colour: kind", "着色：种类"),
    "by_grad": Text("Colour: gradient", "着色：梯度"),
    "by_value": Text("Colour: value", "着色：数值"),
    "by_time": Text("Colour: time", "着色：耗时"),
    "by_flops": Text("Colour: FLOPs", "着色：浮点运算"),
    "by_parameters": Text("Colour: parameters", "着色：参数"),
    "by_bytes": Text("Colour: bytes", "着色：字节"),
    "size_time": Text("time", "耗时"),
    "size_flops": Text("work", "运算量"),
    "size_parameters": Text("numbers in parameters", "参数的个数"),
    "size_bytes": Text("read and written", "读写"),
    "size_grad": Text("gradient (root mean square)", "梯度（均方根）"),
    "size_value": Text("value (root mean square)", "数值（均方根）"),
    "scale_grad": Text(
        "Gradient: root mean square of its elements, logarithmic scale",
        "梯度：各元素的均方根，对数刻度",
    ),
    "scale_value": Text(
        "Value: root mean square of its elements, logarithmic scale",
        "数值：各元素的均方根，对数刻度",
    ),
    "scale_time": Text("Time, logarithmic scale", "耗时，对数刻度"),
    "scale_flops": Text(
        "FLOPs, logarithmic scale; a multiplication and an addition are two",
        "浮点运算次数，对数刻度；乘法和加法各算一次",
    ),
    "scale_parameters": Text(
        "Numbers in the parameters that an op reads, logarithmic scale",
        "算子读取的参数所含数的个数，对数刻度",
    ),
    "scale_bytes": Text(
        "Bytes that an op reads and writes, logarithmic scale", "算子读写的字节数，对数刻度"
    ),
    "none_time": Text("not timed", "未计时"),
    "none_flops": Text("none, or none counted", "没有，或不计"),
    "none_parameters": Text("none", "没有"),
    "none_bytes": Text("none", "没有"),
    "cost_sum": Text("closed box: the sum of what is inside", "收起的方框：其中各项之和"),
    "sizeEmpty": Text("nothing computed", "什么也没有计算"),
    "sizeNone": Text("not computed", "未计算"),
    "none_grad": Text("not computed", "未计算"),
    "none_value": Text("not computed, or a gradient", "未计算，或是梯度"),
    "sizeZero": Text("all zero", "全 0"),
    "sizeOdd": Text("has NaN or Inf", "含 NaN 或 Inf"),
    "sizeClosed": Text("closed box: the largest inside", "收起的方框：取其中最大的"),
    # The table of statistics.
    "statistics": Text("Statistics of parameters and activations", "参数和激活值的统计"),
    "statisticsRows": Text("Statistics as a table (t)", "统计表 (t)"),
    "statisticsAt": Text("after step", "执行到第"),
    "statisticsNone": Text("No values yet.", "还没有数值。"),
    "statisticsMore": Text(
        "Rows not shown (sort by another column, or use trace.statistics()):",
        "未显示的行数（可按其他列排序，或用 trace.statistics()）：",
    ),
    "column_name": Text("name", "名称"),
    "column_kind": Text("kind", "种类"),
    "column_shape": Text("shape", "形状"),
    "column_mean": Text("mean", "均值"),
    "column_std": Text("std", "标准差"),
    "column_min": Text("min", "最小"),
    "column_max": Text("max", "最大"),
    "column_zeros": Text("zeros", "0 的比例"),
    "column_odd": Text("NaN, Inf", "NaN、Inf"),
    "column_grad": Text("gradient (RMS)", "梯度均方根"),
    "column_update": Text("|update|/|value|", "|更新量|/|值|"),
    "row_parameter": Text("parameter", "参数"),
    "row_buffer": Text("buffer", "buffer"),
    "row_state": Text("persistable", "持久性变量"),
    "row_leaf": Text("leaf", "叶子 Tensor"),
    "row_activation": Text("activation", "激活值"),
    # Rounds: the turns of a loop, counted from 1. 轮 would be an epoch.
    "rounds": Text("Rounds", "迭代"),
    "round": Text("round", "迭代"),
    "roundNumber": Text("round {at}", "第 {at} 次迭代"),
    "roundNumbers": Text("rounds {at}", "第 {at} 次迭代"),
    "roundsFromTo": Text("rounds {first} to {last}", "第 {first} 到 {last} 次迭代"),
    "roundOf": Text("round {at} of {count}", "第 {at} 次迭代，共 {count} 次"),
    "roundNamed": Text("{round} ({names})", "{round}（{names}）"),
    "begins_nan": Text("the first NaN appears", "首次出现 NaN"),
    "begins_inf": Text("the first infinity appears", "首次出现无穷大"),
    "roundDiffers": Text("{round}: {differs}", "{round}：{differs}"),
    "roundsFirst": Text("the first round", "第一次迭代"),
    "roundsLast": Text("the last round", "最后一次迭代"),
    "roundBefore": Text("before {round}", "{round}之前"),
    "roundBetween": Text("between {one} and {other}", "{one}和{other}之间"),
    "roundAfter": Text("after {round}", "{round}之后"),
    "loss": Text("loss", "损失"),
    # Memory.
    "memory": Text("Memory", "内存"),
    "memoryRows": Text(
        "Memory: its steps, one row for each block (m)", "显示内存步骤，逐行列出内存块 (m)"
    ),
    "memoryRest": Text("others", "其他"),
    "memoryFree": Text("free", "空闲"),
    "memory_own": Text("own", "独占"),
    "memory_fed": Text("fed", "输入数据（feed）"),
    "memory_saved": Text("saved", "已保存"),
    "memory_scope": Text("persistable", "持久性变量"),
    "memory_leaf": Text("input", "输入"),
    "memory_new": Text("new", "新增"),
    "memory_gone": Text("gone", "释放"),
    # Values in the inspector.
    "values": Text("Values", "数值"),
    "selected": Text("Selected", "选中"),
    "colon": Text(": ", "："),
    "comma": Text(", ", "，"),
    "missing": Text("not computed yet", "尚未计算"),
    "noGradient": Text("None - no gradient", "None - 没有梯度"),
    "noValues": Text("No values at this step.", "这一步没有数值。"),
    "notGiven": Text("not given to backward_func", "未传入 backward_func"),
    "min": Text("min", "最小"),
    "mean": Text("mean", "均值"),
    "max": Text("max", "最大"),
    "size": Text("elements", "个元素"),
    "notTaken": Text(
        "Not known element by element: an array this large is not recorded in full.",
        "无法逐个元素给出：这么大的数组没有完整记录。",
    ),
    "tooLarge": Text("Too large to show each element.", "数组太大，不逐个显示。"),
    "element": Text("Click a number to see all its digits.", "点击一个数，可查看它的全部数位。"),
    "unfold": Text("Show its numbers", "显示其中的数"),
    "find": Text("Number at", "查看位置"),
    "noSuchNumber": Text(
        "There is no number there: the last one is at [{last}].",
        "没有这个位置：最后一个数在 [{last}]。",
    ),
    "elementEdit": Text(
        "Click a number to see all its digits; double-click it to change it.",
        "点击一个数，可查看它的全部数位；双击可改动它。",
    ),
    "scale": Text("colour of the numbers", "数值的颜色"),
    "slope": Text("finite difference", "有限差分"),
    "histogram": Text("Histogram", "直方图"),
    "sampled": Text("from every n-th element", "每隔若干个元素取一个"),
    "within": Text(
        "This box has no value of its own; open it to see the nodes inside.",
        "这个方框本身没有数值；展开后可查看里面的节点。",
    ),
    "valueless": Text("This box has no value of its own.", "这个方框本身没有数值。"),
    "escape": Text("Esc closes", "按 Esc 关闭"),
    # What if a number were another one: its nudge, and what follows from it.
    "whatIf": Text("What if", "假如"),
    "change": Text("Change it", "改动它"),
    "was": Text("was {number}", "原为 {number}"),
    "changedOne": Text("1 number changed", "改动了 1 个数"),
    "changed": Text("{count} numbers changed", "改动了 {count} 个数"),
    "computing": Text("computing…", "计算中…"),
    "reset": Text("Reset", "复原"),
    "resetTitle": Text("All numbers as recorded (r)", "全部恢复为录制时的数值 (r)"),
    "stale": Text("As recorded, not computed anew:", "保持录制时的数值，没有重新计算："),
    # What sentences say of a number without a name; in these the player puts another one.
    "number_from": Text("from {number}", "从 {number}"),
    "number_to": Text("to {number}", "变为 {number}"),
    "number_is": Text("which is {number}", "值为 {number}"),
    "number_now": Text("is now {number}", "等于 {number}"),
    "halfTold": Text(
        "(Some numbers in this sentence are as recorded.)", "（本句中有的数仍是录制时的。）"
    ),
    "staleCurves": Text(
        "Where a curve is hatched, what it would be now is not known; the dashed line is as "
        "recorded.",
        "曲线上打斜线的地方无法重新计算；虚线是录制时的数值。",
    ),
    "curvesAsked": Text(
        "How large this is in each round is shown when the questions of this pass are answered.",
        "这一遍的提问都回答之后，才显示它在各次迭代中的大小。",
    ),
    "kink": Text(
        "Here the change lies so close to a kink (relu, max, rounding) that rounding may decide.",
        "改动处紧邻不可导点（relu、max、取整），结果可能取决于舍入误差。",
    ),
    "notANumber": Text("This is no number of {dtype}.", "这不是 {dtype} 类型的数。"),
    "nudgeBy": Text("nudged by {by}", "改动 {by}"),
    "nudgeHere": Text("Gradient here", "取此处梯度"),
    "nudgeHereTitle": Text(
        "Ask for the gradient at this number, and nudge on from it", "取此处的梯度，从这里继续改动"
    ),
    "nudgeClose": Text("Close (Esc); the number stays changed", "收起 (Esc)；改动保留"),
    "nudge_promise": Text("promised", "梯度承诺"),
    "nudge_loss": Text("the loss did", "损失实际变化"),
    "nudge_lossOf": Text("the loss of {round} did", "{round}的损失变化"),
    "nudgeAxis": Text("loss ↑", "损失 ↑"),
    "nudgeUp": Text(
        "{gradient} is {grad}. That is a promise: nudge {name} a little, and the loss moves "
        "{times} times as far, the same way. Drag and see.",
        "{gradient} 是 {grad}。这是一个承诺：把 {name} 改动一点点，损失就朝同一方向变化 "
        "{times} 倍的量。拖动滑块看看。",
    ),
    "nudgeDown": Text(
        "{gradient} is {grad}. That is a promise: nudge {name} a little, and the loss moves "
        "{times} times as far, the other way. Drag and see.",
        "{gradient} 是 {grad}。这是一个承诺：把 {name} 改动一点点，损失就朝相反方向变化 "
        "{times} 倍的量。拖动滑块看看。",
    ),
    "nudgeZero": Text(
        "{gradient} is 0. That is a promise: nudge {name} a little, and the loss stays where "
        "it is. Drag and see.",
        "{gradient} 是 0。这是一个承诺：把 {name} 改动一点点，损失不变。拖动滑块看看。",
    ),
    "nudgeWrong": Text(
        "Not even so small a nudge keeps the promise. Either the slope changes very quickly here, "
        "or this gradient is not the slope of the loss: was it changed on its way, or computed "
        "wrongly?",
        "改动这么小，承诺仍未兑现。要么这里的斜率变化极快，要么这个梯度并不是损失的斜率："
        "它在途中被改过，还是反向写错了？",
    ),
    "nudgeMeasured": Text(
        "The promise is broken because this gradient is not the slope of the loss: {gradient} is "
        "{grad}, but its finite difference is {slope}.",
        "承诺未兑现，因为这个梯度不是损失的斜率：{gradient} 是 {grad}，而有限差分是 {slope}。",
    ),
    "nudgeDisagrees": Text(
        "Not even so small a nudge keeps the promise, and a gradient of this pass is not the "
        "slope that it stands for. {check}",
        "改动这么小，承诺仍未兑现，而这一遍反向中有一个梯度并不是应有的斜率。{check}",
    ),
    "nudgeKept": Text(
        "Promise kept: the loss did what the gradient said. Nudge further.",
        "承诺兑现：损失的变化与梯度所说的一致。再改动大一些试试。",
    ),
    "nudgeNearly": Text(
        "Nearly kept: the loss begins to leave the straight line that the gradient promised.",
        "基本兑现：损失开始偏离梯度所承诺的直线。",
    ),
    "nudgeParted": Text(
        "The bars have parted. A gradient speaks of small nudges: it is the slope at the start, "
        "and on the way the slope changes.",
        "两条已经长短不一。梯度只管小的改动：它是起点处的斜率，而斜率一路在变。",
    ),
    "nudgeOpposite": Text(
        "The loss went the other way. A gradient speaks of small nudges: it is the slope at the "
        "start, and on the way the slope has turned round.",
        "损失反而朝相反的方向变化。梯度只管小的改动：它是起点处的斜率，而途中斜率已经变号。",
    ),
    "nudgeFlat": Text(
        "Promise kept: the loss has not moved. Nudge further.",
        "承诺兑现：损失没有变化。再改动大一些试试。",
    ),
    "nudgeFlatBroken": Text(
        "The loss has moved after all. A gradient speaks of small nudges: at the start the slope "
        "is 0, on the way it changes.",
        "损失还是变化了。梯度只管小的改动：起点处斜率为 0，途中斜率会变。",
    ),
    "nudgeTiny": Text(
        "Too small a nudge to judge by: what the loss does is lost in rounding.",
        "改动太小，无从判断：损失的变化淹没在舍入误差中。",
    ),
    "nudgeOdd": Text("The loss is no finite number any more.", "损失已经不是有限的数。"),
    "nudgeAsked": Text(
        "What its gradient promises is told when the questions of this pass are answered; what the "
        "loss does is computed all the same.",
        "这一遍的提问都回答之后，才显示梯度的承诺；损失仍会重新计算。",
    ),
    "nudgeNoGradient": Text(
        "No gradient was computed for {name}, so nothing is promised; what the loss does is "
        "computed all the same.",
        "没有计算 {name} 的梯度，所以没有承诺；损失仍会重新计算。",
    ),
    "nudgeCause": Text(
        "{cause} So nothing is promised; drag and see what the loss does.",
        "{cause}所以没有承诺；拖动滑块，看损失如何变化。",
    ),
    "nudgeRate": Text(
        "{name} sets how far each update goes. Backward computes no gradient for it, so nothing is "
        "promised; drag and see what follows.",
        "{name} 决定每次更新走多远。反向不计算它的梯度，所以没有承诺；拖动滑块，看结果如何。",
    ),
    "nudgeTogether": Text(
        "{told} It is changed in all {count} rounds in which it was {number}.",
        "{told}凡是取值为 {number} 的 {count} 次迭代都一起改动。",
    ),
    "nudgeConstant": Text(
        "{name} is a plain number in the code. Backward computes no gradient for it, so nothing "
        "is promised; drag and see what follows.",
        "{name} 是代码中的普通数值。反向不计算它的梯度，所以没有承诺；拖动滑块，看结果如何。",
    ),
    "nudgeSeed": Text(
        "Backward starts from {name}: another number changes the gradients, not the loss that they "
        "are of. It has no gradient itself, so nothing is promised.",
        "反向从 {name} 开始：改动它会改变各个梯度，不会改变这里的损失。它自己没有梯度，"
        "所以没有承诺。",
    ),
    "nudgeNoLoss": Text(
        "No backward started here, so there is no gradient and no promise; what follows from "
        "{name} is computed all the same.",
        "这里没有运行反向，没有梯度，也就没有承诺；由 {name} 得出的数仍会重新计算。",
    ),
    # The bar, the timeline and the graph.
    "player": Text("Step player", "单步播放器"),
    "controls": Text("Step controls", "步进控制"),
    "first": Text("First step (Home)", "第一步 (Home)"),
    "previous": Text("Previous step (←)", "上一步 (←)"),
    "next": Text("Next step (→)", "下一步 (→)"),
    "last": Text("Last step (End)", "最后一步 (End)"),
    "play": Text("Play or pause (space)", "播放或暂停 (空格)"),
    "speed": Text("Speed", "速度"),
    "timeline": Text("Timeline", "时间轴"),
    "step": Text("Step", "第"),
    "of": Text("of", "/"),
    "steps": Text("Steps", "步骤"),
    "stepOne": Text("step", "第"),
    "stepsFrom": Text("steps", "第"),
    "stepEnd": Text("", " 步"),
    "goto": Text("Go to step", "转到步骤"),
    "graph": Text("Graph", "计算图"),
    "zoomIn": Text("Zoom in (+)", "放大 (+)"),
    "zoomOut": Text("Zoom out (-)", "缩小 (-)"),
    "fit": Text("Fit (0)", "适合窗口 (0)"),
    "legend": Text("Legend", "图例"),
    "more": Text("Search, tables, keys, language", "搜索、表格、快捷键、语言"),
    "open": Text("Open", "展开"),
    "close": Text("Close", "收起"),
    "clear": Text("Clear selection (Esc)", "取消选择 (Esc)"),
    "follow": Text(
        "Follow: open the box that the step is in (f)", "跟随：展开当前步骤所在的方框 (f)"
    ),
    "minimap": Text("Map of the whole graph (o)", "全图缩略图 (o)"),
    "search": Text("Search", "搜索"),
    "searchHint": Text("Search nodes ( / )", "搜索节点 ( / )"),
    "none": Text("none", "无"),
    "theme": Text("Light or dark", "浅色或深色"),
    "language": Text("中文", "English"),
    "languageName": Text("切换到中文", "Switch to English"),
    "lang": Text("en", "zh-CN"),
    # Rounds in the player.
    "roundSlider": Text("Round", "迭代"),
    "beforeRounds": Text("before round 1 of {count}", "第 1 次迭代之前，共 {count} 次"),
    "afterRound": Text("after round {at} of {count}", "第 {at} 次迭代之后，共 {count} 次"),
    "evaluation": Text("evaluation", "评估"),
    "notKept": Text("its steps were not kept", "这次迭代的步骤没有保留"),
    "previousRound": Text("Same step of the previous round ([)", "上一次迭代的同一步 ([)"),
    "nextRound": Text("Same step of the next round (])", "下一次迭代的同一步 (])"),
    "byRound": Text("by round:", "各次迭代："),
    "overRounds": Text("over the rounds", "随迭代的变化"),
    "briefRounds": Text(
        "Arrays of the rounds between {first} and {last} are shown only as statistics: with every "
        "element the page would be too large.",
        "第 {first} 次与第 {last} 次迭代之间的数组只给出统计量：带上全部元素，页面会过大。",
    ),
    "briefElement": Text(
        "Of arrays only rounds {first} and {last} have every element on this page.",
        "本页上只有第 {first} 次和第 {last} 次迭代的数组带有全部元素。",
    ),
    # The code, and a recording without steps, by its title and in a sentence.
    "code": Text("Code", "代码"),
    "cell": Text("Cell", "单元格"),
    "noCode": Text("No source.", "没有源代码。"),
    "nothing": Text("nothing", "空"),
    "leftOut": Text(
        "values are shown only as statistics: with every element the page would be too large.",
        "个值只给出统计量：带上全部元素，页面会过大。",
    ),
    "empty": Text(
        "Nothing was recorded: no Paddle operation ran inside the with block.",
        "没有录制到任何步骤：with 里面没有运行 Paddle 算子。",
    ),
    "wrongLink": Text(
        "The link points to a step, box or element that is not in this recording.",
        "地址里的步骤、方框或元素不在这个记录里。",
    ),
    "wrongRoundLink": Text(
        "The link points to a round, step, box or element that is not in this recording.",
        "地址里的迭代、步骤、方框或元素不在这个记录里。",
    ),
    # Problems: the badge, the box, and what each kind is called.
    "problemOne": Text("1 problem", "1 个问题"),
    "problemCount": Text("{count} problems", "{count} 个问题"),
    "problemsHint": Text(
        "What is wrong, why, and what to do (p)", "哪里有问题、为什么、怎么办 (p)"
    ),
    "problemsTitle": Text("What the recording shows to be wrong", "记录中可以证实的问题"),
    "todo": Text("To do: ", "建议："),
    "problem_wrong_gradient": Text("Gradient and slope disagree", "梯度与有限差分不一致"),
    "problem_nan": Text("First NaN", "首个 NaN"),
    "problem_inf": Text("First infinity", "首个无穷大"),
    "problem_no_gradient": Text("No gradient", "没有梯度"),
    "problem_carried_over": Text("Gradient of an earlier pass", "混入了之前的梯度"),
    "problem_not_updated": Text("Not updated", "没有更新"),
    "problem_vanishing": Text("Vanishing gradient", "梯度消失"),
    "problem_exploding": Text("Exploding gradient", "梯度爆炸"),
    "problem_dead_relu": Text("Dead units", "失活的单元"),
    "problem_rounded_away": Text("Update rounded away", "更新被舍入"),
    "problem_uphill": Text("Steps uphill", "沿梯度上坡"),
    "problem_softmax_twice": Text("Softmax taken twice", "做了两次 softmax"),
    "problem_loss_still": Text("Loss stands still", "损失不变"),
    "problem_eval_in_training": Text("Evaluation mode in training", "训练时处于评估模式"),
    "problem_changed_between": Text("Changed before backward", "反向之前已改变"),
    "problem_train_in_evaluation": Text("Training mode in evaluation", "评估时处于训练模式"),
    "problem_broadcast": Text("Broadcast to all pairs", "广播成了全部配对"),
    # Two graphs on one page.
    "eagerSide": Text("Tape", "动态图"),
    "programSide": Text("Program", "静态图"),
    # Questions: before a step shows what it does, and where a mistake is.
    "ask": Text("Question", "提问"),
    "askSwitch": Text(
        "Predict: each step of backward asks first (q)", "先预测：反向的每一步先提问 (q)"
    ),
    "askFirst": Text("{box}: answer first, then the step is shown.", "{box}：先作答，再看这一步。"),
    "askHidden": Text("hidden until you have answered", "作答后显示"),
    "ask_value": Text("What number is {of}?", "{of} 是多少？"),
    "ask_sign": Text("Which sign does {of} have?", "{of} 的符号是什么？"),
    "ask_shape": Text("Which shape does {of} have?", "{of} 的形状是什么？"),
    "ask_next": Text(
        "Where does {of} go next? Choose, or click the box in the graph.",
        "{of} 接下来传到哪里？请选择，或在图中点击方框。",
    ),
    "askWithin": Text(
        "Within 1 % counts as right: of the number, or of the root mean square of the array where "
        "that is larger.",
        "误差在 1% 以内算对：以该数为准，若整个数组的均方根更大，则以均方根为准。",
    ),
    "askExample": Text("such as {example}", "例如 {example}"),
    "askAnswer": Text("Answer", "回答"),
    "askSkip": Text("Show me", "直接看答案"),
    "askNumber": Text("Write a number, such as 0.25 or 1/6.", "请写一个数，例如 0.25 或 1/6。"),
    "askSizes": Text("Write a shape, such as [2, 3].", "请写形状，例如 [2, 3]。"),
    "askRight_is": Text("Right: {of} is {truth}.", "对：{of} 是 {truth}。"),
    "askWrong_is": Text(
        "You said {given}; {of} is {truth}.", "你的回答是 {given}；{of} 是 {truth}。"
    ),
    "askShown_is": Text("{of} is {truth}.", "{of} 是 {truth}。"),
    "askRight_next": Text("Right: {of} goes to {truth}.", "对：{of} 传到 {truth}。"),
    "askWrong_next": Text(
        "You said {given}; {of} goes to {truth}.", "你的回答是 {given}；{of} 传到 {truth}。"
    ),
    "askShown_next": Text("{of} goes to {truth}.", "{of} 传到 {truth}。"),
    "askPlus": Text("positive", "正"),
    "askMinus": Text("negative", "负"),
    "askZero": Text("zero", "零"),
    "askThis": Text("This one: {box}", "就是它：{box}"),
    "askCount": Text("{right} of {answered} right", "答对 {right} / {answered}"),
    "askExport": Text("Export answers", "导出答案"),
    "askPageOnly": Text(
        "The answers are kept in this page only: the browser allows no storage here.",
        "浏览器不允许在此存储，答案只保留在本页面中。",
    ),
    "huntTask": Text(
        "One thing in this backward pass is done wrongly. Sentences and formulas say what should "
        "happen; the numbers are what comes out. Which box is wrong?",
        "这次反向中有一处做错了。句子和公式说的是应当发生的事，数值是实际得到的结果。哪个方框错了？",
    ),
    "huntChoose": Text(
        "Click a box, or step to it: the box at work counts.", "点击一个方框，或单步走到它。"
    ),
    "huntHint": Text("Hint {at} of {count}", "提示 {at}/{count}"),
    "huntRight": Text("Found: {box}.", "找到了：{box}。"),
    "huntWrong": Text(
        "{box} gives what its rule gives from what arrives there.",
        "{box} 没有错：由传入的值，按它的规则得到的正是这个结果。",
    ),
    "huntInside": Text("It is inside {box}: open it.", "就在 {box} 里面：请展开它。"),
    "huntNothing": Text(
        "{box} computes no gradient; choose a box of the backward pass.",
        "{box} 不计算梯度；请选择反向中的方框。",
    ),
    "huntIs": Text("is", "实际"),
    "huntShould": Text("should be", "应为"),
    # The keys.
    "help": Text("Keys (?)", "快捷键 (?)"),
    "keys": Text("Keys", "快捷键"),
    "keyNext": Text("next step", "下一步"),
    "keyPrevious": Text("previous step", "上一步"),
    "keyEnds": Text("first, last step", "第一步、最后一步"),
    "space": Text("space", "空格"),
    "keyRounds": Text("same step of the previous, next round", "上一次、下一次迭代的同一步"),
    "keyPlay": Text("play, pause", "播放、暂停"),
    "keyProblem": Text("next problem", "下一个问题"),
    "keySearch": Text("search nodes", "搜索节点"),
    "keyZoom": Text("zoom in, out", "放大、缩小"),
    "keyFit": Text("fit the picture", "适合窗口"),
    "keyPan": Text("move the picture", "移动计算图"),
    "keyOpen": Text("open or close the box in focus", "展开或收起焦点所在的方框"),
    "keyEscape": Text(
        "deselect a number or box, close this panel", "取消选中的数、方框，关闭本面板"
    ),
    "keyEdit": Text("change the chosen number", "改动选中的数"),
    "keyReset": Text("all numbers as recorded", "全部恢复为录制时的数值"),
    "keyHelp": Text("show these keys", "显示这些快捷键"),
    "keyAsk": Text("predict: questions on, off", "先预测：开始、结束提问"),
    "keyAnswer": Text("answer the question", "回答问题"),
    "keyMemory": Text(
        "memory steps, one row for each memory block", "显示内存步骤，逐行列出内存块"
    ),
    "keyFollow": Text("follow: open the box that the step is in", "跟随：展开当前步骤所在的方框"),
    "keyColour": Text(
        "colour boxes by gradient, by value, by what they cost", "按梯度、数值或开销给方框着色"
    ),
    "keyMinimap": Text("map of the whole graph", "全图缩略图"),
    "keyStatistics": Text("statistics as a table", "统计表"),
}


def say(key: str, lang: str) -> str:
    """A word in one language."""
    return WORDS[key].of(lang)


def by_language(keys: Mapping[str, str] | None = None) -> dict[str, dict[str, str]]:
    """All words, or some under names of one's own: first by language, then by name."""
    chosen = {key: key for key in WORDS} if keys is None else keys
    return {lang: {name: say(key, lang) for name, key in chosen.items()} for lang in LANGUAGES}
