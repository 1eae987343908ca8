"""The words of pictures, tables and the player, in each language; a fact is worded once.

The sentences of the steps are made in `story/sentences`; why a gradient is missing is worded in
`minipaddle/engine/reasons.py`. `player/page.py` gives `PAGE_WORDS` to the player, whose code names
them by the same keys; only Python reads `WORDS_OF_PICTURES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from minipaddle.messages import Message, languages

PAGE_WORDS: Mapping[str, Message] = {
    # Many ranks side by side.
    "ranksPicture": Message("The ranks, from top to bottom"),
    "ranksValues": Message("Lines and values in this row"),
    "foldRanks": Message("Fold equal ranks (f)"),
    # The way from the whole picture into its layers.
    "trail": Message("Where the step is"),
    "overview": Message("Overview"),
    "overviewHint": Message("→ leads in step by step; back out (b); play (space); all keys (?)"),
    # Phases of a run and lanes of a picture.
    "forward": Message("Forward"),
    "backward": Message("Backward"),
    "build": Message("Build"),
    "run": Message("Run"),
    "optimize": Message("Parameter update"),
    "updates": Message("Update"),  # short, because its lane may be one box wide
    # Roles of values in a step, in the inspector.
    "input": Message("input"),
    "output": Message("output"),
    "saved": Message("saved for backward"),
    "grad_in": Message("gradient in"),
    "grad_out": Message("gradient out"),
    "final": Message("stored in"),
    "before": Message("before"),
    "after": Message("after"),
    "taken": Message("subtracted"),
    "zeros": Message("zeros in place of a missing gradient"),
    "skipped": Message("left out"),
    "rate": Message("learning rate"),
    "constant": Message("constant"),
    # Headings of an error's details.
    "fault": Message("error"),
    "fault_expected": Message("expected"),
    "fault_received": Message("received"),
    "fault_todo": Message("to do"),
    "fault_tried": Message("tried"),
    "fault_where": Message("where"),
    # The legend: wires, operators, tensors; and the number of a lane's pass.
    "data": Message("value"),
    "grad": Message("gradient"),
    "savedWire": Message("saved"),
    "op_forward": Message("operator"),
    "op_backward": Message("gradient operator"),
    "op_optimize": Message("update"),
    "kind_parameter": Message("parameter"),
    "kind_buffer": Message("buffer"),
    "kind_state": Message("persistable variable"),
    "kind_data": Message("data"),
    # Colours and sizes.
    "colourBy": Message("Colour of the boxes (c)"),
    "by_kind": Message("Colour: kind"),
    "by_grad": Message("Colour: gradient"),
    "by_value": Message("Colour: value"),
    "by_time": Message("Colour: time"),
    "by_flops": Message("Colour: FLOPs"),
    "by_parameters": Message("Colour: parameters"),
    "by_bytes": Message("Colour: bytes"),
    "size_time": Message("time"),
    "size_flops": Message("work"),
    "size_parameters": Message("numbers in parameters"),
    "size_bytes": Message("read and written"),
    "size_grad": Message("gradient (root mean square)"),
    "size_value": Message("value (root mean square)"),
    "scale_grad": Message("Gradient: root mean square of its elements, logarithmic scale"),
    "scale_value": Message("Value: root mean square of its elements, logarithmic scale"),
    "scale_time": Message("Time, logarithmic scale"),
    "scale_flops": Message("FLOPs, logarithmic scale; a multiplication and an addition are two"),
    "scale_parameters": Message("Numbers in the parameters that an op reads, logarithmic scale"),
    "scale_bytes": Message("Bytes that an op reads and writes, logarithmic scale"),
    "none_time": Message("not timed"),
    "none_flops": Message("none, or none counted"),
    "none_parameters": Message("none"),
    "none_bytes": Message("none"),
    "cost_sum": Message("closed box: the sum of what is inside"),
    "sizeEmpty": Message("nothing computed"),
    "sizeNone": Message("not computed"),
    "none_grad": Message("not computed"),
    "none_value": Message("not computed, or a gradient"),
    "sizeZero": Message("all zero"),
    "sizeOdd": Message("has NaN or Inf"),
    "sizeClosed": Message("closed box: the largest inside"),
    # The table of statistics.
    "statistics": Message("Statistics of parameters and activations"),
    "statisticsRows": Message("Statistics as a table (t)"),
    "statisticsAt": Message("after step {step}"),
    "statisticsNone": Message("No values yet."),
    "statisticsMore": Message(
        "Rows not shown (sort by another column, or use trace.statistics()):"
    ),
    "column_name": Message("name"),
    "column_kind": Message("kind"),
    "column_shape": Message("shape"),
    "column_mean": Message("mean"),
    "column_std": Message("std"),
    "column_min": Message("min"),
    "column_max": Message("max"),
    "column_zeros": Message("zeros"),
    "column_odd": Message("NaN, Inf"),
    "column_grad": Message("gradient (RMS)"),
    "column_update": Message("|update|/|value|"),
    "row_parameter": Message("parameter"),
    "row_buffer": Message("buffer"),
    "row_state": Message("persistable"),
    "row_leaf": Message("leaf"),
    "row_activation": Message("activation"),
    # Rounds: iterations of a loop, counted from 1. 轮 would be an epoch.
    "rounds": Message("Rounds"),
    "roundNumber": Message("round {at}"),
    "roundOf": Message("round {at} of {count}"),
    "loss": Message("loss"),
    "accuracy": Message("accuracy"),
    "accuracyOf": Message("accuracy on this round's batch {share} % ({right} of {count})"),
    # Values with a view of their own.
    "queries": Message("Rows: queries; columns: keys."),
    "tokens": Message("#: the number of a token."),
    "imagesClasses": Message("Class with the largest number in {scores}."),
    "imagesRight": Message(
        "Class with the largest number in {scores}, and ✓ or ≠ the label: {right} of {count} right."
    ),
    # Memory.
    "memory": Message("Memory"),
    "memoryRows": Message("Memory: its steps, one row for each block (m)"),
    "memoryRest": Message("others"),
    "memoryFree": Message("free"),
    "memory_own": Message("own"),
    "memory_fed": Message("fed"),
    "memory_saved": Message.in_context("memory", "saved"),
    "memory_scope": Message("persistable"),
    "memory_leaf": Message("input"),
    "memory_new": Message("new"),
    "memory_gone": Message("gone"),
    # Values in the inspector.
    "values": Message("Values"),
    "selected": Message("Selected"),
    "colon": Message(": "),
    "comma": Message(", "),
    "missing": Message("not computed yet"),
    "noGradient": Message("None - no gradient"),
    "noValues": Message("No values at this step."),
    "notGiven": Message("not given to backward_func"),
    "min": Message("min"),
    "mean": Message("mean"),
    "max": Message("max"),
    "size": Message("elements"),
    "notTaken": Message(
        "Not known element by element: an array this large is not recorded in full."
    ),
    "tooLarge": Message("Too large to show each element."),
    "element": Message("Click a number for all its digits, a gradient for its factors, too."),
    "unfold": Message("Show its numbers"),
    "find": Message("Number at"),
    "noSuchNumber": Message("There is no number there: the last one is at [{last}]."),
    "elementEdit": Message(
        "Click a number for all its digits, a gradient for its factors, too; double-click a number "
        "to change it."
    ),
    # What one element is made from, and what it acts on.
    "elementIdle": Message("Point at a number, or tap it: what is it made from?"),
    "rowNext": Message("{row}, {next}"),
    "rowAnd": Message("{row} and {next}"),
    "elementMore": Message("{count:,} more"),
    "elementMadeFrom": Message("made from {cells}"),
    "elementCounted": Message("{count:,} elements of {name}"),
    "elementChosen": Message("{element} = {source} = {value}, chosen among {count:,} elements."),
    "elementFormula": Message("{element} = {value}, from {numbers}, by {formula}."),
    "elementFrom": Message("{element} = {value}, from {numbers}."),
    "elementBy": Message("{sum}, by {formula}."),
    "elementAlone": Message(
        "{element} = {value}: a small change of what it is computed from does not move it."
    ),
    "elementNothing": Message("{element} = {value}: no gradient that arrives has a part in it."),
    "elementActs": Message("{element} = {value} acts on {cells}."),
    "elementActsAtLeast": Message("{element} = {value} acts on {cells}, and perhaps on others."),
    "elementStill": Message(
        "{element} = {value} acts on nothing in this step: a small change of it moves no element."
    ),
    "elementBare": Message("{element} = {value}: {reason}."),
    "elementWhole": Message("{dtype} values do not vary continuously, so no gradient tells"),
    "elementAside": Message("this step shows it, and does not compute with it"),
    "elementNoStep": Message("nothing is computed in this step"),
    "elementSeed": Message("backward begins with this gradient; nothing computed it"),
    "elementGiven": Message("it is made of no tensor"),
    "elementHasty": Message("very many elements have a part in it; click it to follow them"),
    "elementLarge": Message("too many elements have a part in it to follow them on a page"),
    "elementUnlisted": Message("the page does not hold how its numbers are computed"),
    # How one element of a gradient came about.
    "chain": Message("{element} = {value}, factor by factor:"),
    "chainPaths": Message(
        "{element} = {value}, the sum over its paths; each multiplies the slopes of its steps."
    ),
    "chainNone": Message("{element} = {value}: no path brings anything."),
    "chainRest": Message("all other paths"),
    "plotSlope": Message("{name}, with its slope {slope} at this element"),
    "scale": Message("colour of the numbers"),
    "slope": Message("finite difference"),
    "histogram": Message("Histogram"),
    "sampled": Message("from every n-th element"),
    "within": Message("This box has no value of its own; open it to see the nodes inside."),
    "valueless": Message("This box has no value of its own."),
    "escape": Message("Esc closes"),
    # Changes of a number in the page, and their consequences.
    "whatIf": Message("What if"),
    "change": Message("Change it"),
    "was": Message("was {number}"),
    "changedOne": Message("1 number changed"),
    "changed": Message("{count} numbers changed"),
    "stillRecorded": Message("Badges and problems are those of the recording."),
    "computing": Message("computing…"),
    "reset": Message("Reset"),
    "resetTitle": Message("All numbers as recorded (r)"),
    "stale": Message("As recorded, not computed anew:"),
    "halfTold": Message("(Some numbers in this sentence are as recorded.)"),
    "staleCurves": Message(
        "Where a curve is hatched, what it would be now is not known; the dashed "
        "line is as recorded."
    ),
    "curvesAsked": Message(
        "How large this is in each round is shown when the questions of this pass are answered."
    ),
    "kink": Message(
        "Here the change lies so close to a kink (relu, max, rounding) that rounding may decide."
    ),
    "notANumber": Message("This is no number of {dtype}."),
    "nudgeBy": Message("nudged by {by}"),
    "nudgeHere": Message("Gradient here"),
    "nudgeHereTitle": Message("Ask for the gradient at this number, and nudge on from it"),
    "nudgeClose": Message("Close (Esc); the number stays changed"),
    "nudge_promise": Message("promised"),
    "nudge_loss": Message("happened"),
    "nudge_lossOf": Message("what the loss of {round} did"),
    "nudgeAxis": Message("loss ↑"),
    "nudgeUp": Message(
        "{gradient} is {grad}. That is a promise: nudge {name} a little, and the "
        "loss moves {times} times as far, the same way. Drag and see."
    ),
    "nudgeDown": Message(
        "{gradient} is {grad}. That is a promise: nudge {name} a little, and the "
        "loss moves {times} times as far, the other way. Drag and see."
    ),
    "nudgeZero": Message(
        "{gradient} is 0. That is a promise: nudge {name} a little, and the loss "
        "stays where it is. Drag and see."
    ),
    "nudgeWrong": Message(
        "Not even so small a nudge keeps the promise. Either the slope changes "
        "very quickly here, or this gradient is not the slope of the loss: was "
        "it changed on its way, or computed wrongly?"
    ),
    "nudgeMeasured": Message(
        "The promise is broken because this gradient is not the slope of the "
        "loss: {gradient} is {grad}, but its finite difference is {slope}."
    ),
    "nudgeDisagrees": Message(
        "Not even so small a nudge keeps the promise, and a gradient of this "
        "pass is not the slope that it stands for. {check}"
    ),
    "nudgeKept": Message("Promise kept: the loss did what the gradient said. Nudge further."),
    "nudgeNearly": Message(
        "Nearly kept: the loss begins to leave the straight line that the gradient promised."
    ),
    "nudgeParted": Message(
        "The bars have parted. A gradient speaks of small nudges: it is the "
        "slope at the start, and on the way the slope changes."
    ),
    "nudgeOpposite": Message(
        "The loss went the other way. A gradient speaks of small nudges: it is "
        "the slope at the start, and on the way the slope has turned round."
    ),
    "nudgeFlat": Message("Promise kept: the loss has not moved. Nudge further."),
    "nudgeFlatBroken": Message(
        "The loss has moved after all. A gradient speaks of small nudges: at the "
        "start the slope is 0, on the way it changes."
    ),
    "nudgeTiny": Message("Too small a nudge to judge by: what the loss does is lost in rounding."),
    "nudgeOdd": Message("The loss is no finite number any more."),
    "downhill": Message("One step downhill (−lr · grad)"),
    "downhillRate": Message("lr = {rate}"),
    "downhillExample": Message("lr = {rate}, as an example"),
    "curveHere": Message(
        "The gradient at the start promises a loss of {promise} here; the loss is {loss}."
    ),
    "curveLowest": Message("The lowest loss of {count} computed here is {loss}, at {numbers}."),
    "curveLost": Message("{count} losses are not known: {why}."),
    "map": Message("Contours over both numbers"),
    "mapClose": Message("Only {name}"),
    "mapTold": Message(
        "The loss over {name} (across) and {other} (up): a contour for each {step} up to {high}, "
        "the stronger its line the lower. All other numbers are fixed."
    ),
    "mapFlat": Message("Neither {name} nor {other} moves this loss."),
    "mapRounds": Message("The dots are {count} rounds, in which other numbers may have moved too."),
    "nudgeAsked": Message(
        "What its gradient promises is told when the questions of this pass are "
        "answered; what the loss does is computed all the same."
    ),
    "nudgeNoGradient": Message(
        "No gradient was computed for {name}, so nothing is promised; what the "
        "loss does is computed all the same."
    ),
    "nudgeCause": Message("{cause} So nothing is promised; drag and see what the loss does."),
    "nudgeRate": Message(
        "{name} sets how far each update goes. Backward computes no gradient for "
        "it, so nothing is promised; drag and see what follows."
    ),
    "nudgeTogether": Message(
        "{told} It is changed in all {count} rounds in which it was {number}."
    ),
    "nudgeConstant": Message(
        "{name} is a plain number in the code. Backward computes no gradient for "
        "it, so nothing is promised; drag and see what follows."
    ),
    "nudgeSeed": Message(
        "Backward starts from {name}: another number changes the gradients, not the loss that they "
        "are of. It has no gradient itself, so nothing is promised."
    ),
    "nudgeNoLoss": Message(
        "No backward started here, so there is no gradient and no promise; what "
        "follows from {name} is computed all the same."
    ),
    # The bar, the timeline and the graph.
    "player": Message("Step player"),
    "controls": Message("Step controls"),
    "first": Message("First step (Home)"),
    "previous": Message("Previous step (←)"),
    "next": Message("Next step (→)"),
    "last": Message("Last step (End)"),
    "play": Message("Play or pause (space)"),
    "speed": Message("Speed"),
    "timeline": Message("Timeline"),
    "stepOf": Message("{step} of {count}"),
    "steps": Message("Steps"),
    "atStep": Message("step {step}"),
    "atSteps": Message("steps {first}–{last}"),
    "goto": Message("Go to step"),
    "graph": Message("Graph"),
    "zoomIn": Message("Zoom in (+)"),
    "zoomOut": Message("Zoom out (-)"),
    "fit": Message("Fit (0)"),
    "legend": Message("Legend"),
    "more": Message("Search, tables, keys, language"),
    "open": Message("Open"),
    "close": Message("Close"),
    "clear": Message("Clear selection (Esc)"),
    "follow": Message("Follow: open the box that the step is in (f)"),
    "boxValues": Message("Values: numbers and small pictures in the boxes (v)"),
    "minimap": Message("Map of the whole graph (o)"),
    "search": Message("Search"),
    "searchHint": Message("Search nodes ( / )"),
    "none": Message("none"),
    "theme": Message("Light or dark"),
    "language": Message("English"),  # the language's own name, on the button that selects it
    "languageName": Message("Switch to English"),
    "lang": Message("en"),
    # Rounds in the player.
    "roundSlider": Message("Round"),
    "beforeRounds": Message("before round 1 of {count}"),
    "afterRound": Message("after round {at} of {count}"),
    "evaluation": Message("evaluation"),
    "notKept": Message("its steps were not kept"),
    "previousRound": Message("Same step of the previous round ([)"),
    "nextRound": Message("Same step of the next round (])"),
    "byRound": Message("by round:"),
    "overRounds": Message("over the rounds"),
    "briefRounds": Message(
        "Arrays of the rounds between {first} and {last} are shown only as "
        "statistics: with every element the page would be too large."
    ),
    "briefElement": Message(
        "Of arrays only rounds {first} and {last} have every element on this page."
    ),
    # The code, and a recording without steps: its title and a sentence.
    "code": Message("Code"),
    "cell": Message("Cell"),
    "noCode": Message("No source."),
    "leftOut": Message(
        "values are shown only as statistics: with every element the page would be too large."
    ),
    "empty": Message("Nothing was recorded: no Paddle operation ran inside the with block."),
    "wrongLink": Message(
        "The link points to a step, box or element that is not in this recording."
    ),
    "wrongRoundLink": Message(
        "The link points to a round, step, box or element that is not in this recording."
    ),
    # Problems: the badge, the box, and the names of the kinds.
    "problemOne": Message("1 problem"),
    "problemCount": Message("{count} problems"),
    "problemsHint": Message("What is wrong, why, and what to do (p)"),
    "problemsTitle": Message("What the recording shows to be wrong"),
    "todo": Message("To do: "),
    "problem_difference": Message("Difference"),
    "sizeBeyond": Message("beyond the scale"),
    "differencesTitle": Message("Where the two runs differ"),
    "differencesHint": Message("Go to the next difference (p, or [ and ])"),
    "firstDifference": Message("first difference"),
    "nextDifference": Message("next difference"),
    "problem_wrong_gradient": Message("Gradient and slope disagree"),
    "problem_nan": Message("First NaN"),
    "problem_inf": Message("First infinity"),
    "problem_no_gradient": Message("No gradient"),
    "problem_carried_over": Message("Gradient of an earlier pass"),
    "problem_not_updated": Message("Not updated"),
    "problem_vanishing": Message("Vanishing gradient"),
    "problem_exploding": Message("Exploding gradient"),
    "problem_dead_relu": Message("Dead units"),
    "problem_rounded_away": Message("Update rounded away"),
    "problem_uphill": Message("Steps uphill"),
    "problem_softmax_twice": Message("Softmax taken twice"),
    "problem_loss_still": Message("Loss stands still"),
    "problem_eval_in_training": Message("Evaluation mode in training"),
    "problem_changed_between": Message("Changed before backward"),
    "problem_train_in_evaluation": Message("Training mode in evaluation"),
    "problem_broadcast": Message("Broadcast to all pairs"),
    # Two graphs on one page.
    "eagerSide": Message("Tape"),
    "programSide": Message("Program"),
    # Questions of a quiz and of a bug hunt.
    "ask": Message("Question"),
    "askSwitch": Message("Predict: each step of backward asks first (q)"),
    "askFirst": Message("{box}: answer first, then the step is shown."),
    "askHidden": Message("hidden until you have answered"),
    "ask_value": Message("What number is {of}?"),
    "ask_sign": Message("Which sign does {of} have?"),
    "ask_shape": Message("Which shape does {of} have?"),
    "ask_next": Message("Where does {of} go next? Choose, or click the box in the graph."),
    "askWithin": Message(
        "Within 1 % counts as right: of the number, or of the root mean square "
        "of the array where that is larger."
    ),
    "askExample": Message("such as {example}"),
    "askAnswer": Message("Answer"),
    "askSkip": Message("Show me"),
    "askNumber": Message("Write a number, such as 0.25 or 1/6."),
    "askSizes": Message("Write a shape, such as [2, 3]."),
    "askRight_is": Message("Right: {of} is {truth}."),
    "askWrong_is": Message("You said {given}; {of} is {truth}."),
    "askShown_is": Message("{of} is {truth}."),
    "askRight_next": Message("Right: {of} goes to {truth}."),
    "askWrong_next": Message("You said {given}; {of} goes to {truth}."),
    "askShown_next": Message("{of} goes to {truth}."),
    "askPlus": Message("positive"),
    "askMinus": Message("negative"),
    "askZero": Message("zero"),
    "askThis": Message("This one: {box}"),
    "askCount": Message("{right} of {answered} right"),
    "askExport": Message("Export answers"),
    "askPageOnly": Message(
        "The answers are kept in this page only: the browser allows no storage here."
    ),
    "huntTask": Message(
        "One thing in this backward pass is done wrongly. Sentences and formulas say what should "
        "happen; the numbers are what comes out. Which box is wrong?"
    ),
    "huntChoose": Message("Click a box, or step to it: the box at work counts."),
    "huntHint": Message("Hint {at} of {count}"),
    "huntRight": Message("Found: {box}."),
    "huntWrong": Message("{box} gives what its rule gives from what arrives there."),
    "huntInside": Message("It is inside {box}: open it."),
    "huntNothing": Message("{box} computes no gradient; choose a box of the backward pass."),
    "huntIs": Message("is"),
    "huntShould": Message("should be"),
    # The keys.
    "help": Message("Keys (?)"),
    "keys": Message("Keys"),
    "keyNext": Message("next step"),
    "keyPrevious": Message("previous step"),
    "keyEnds": Message("first, last step"),
    "space": Message("space"),
    "keyRounds": Message("same step of the previous, next round"),
    "keyPlay": Message("play, pause"),
    "keyProblem": Message("next problem"),
    "keySearch": Message("search nodes"),
    "keyZoom": Message("zoom in, out"),
    "keyBoxes": Message("to a box of the picture; arrows lead on, Enter selects it"),
    "keyOut": Message("out of the layer, up to the overview"),
    "keyFit": Message("fit the picture"),
    "keyPan": Message("move the picture"),
    "keyOpen": Message("open or close the box in focus"),
    "keyEscape": Message("deselect a number or box, close this panel"),
    "keyEdit": Message("change the chosen number"),
    "keyReset": Message("all numbers as recorded"),
    "keyHelp": Message("show these keys"),
    "keyAsk": Message("predict: questions on, off"),
    "keyAnswer": Message("answer the question"),
    "keyMemory": Message("memory steps, one row for each memory block"),
    "keyFollow": Message("follow: open the box that the step is in"),
    "keyColour": Message("colour boxes by gradient, by value, by what they cost"),
    "keyValues": Message("values: numbers and small pictures in the boxes"),
    "keyMinimap": Message("map of the whole graph"),
    "keyStatistics": Message("statistics as a table"),
}

WORDS_OF_PICTURES: Mapping[str, Message] = {
    # Labels of boxes and of a plot's axis.
    "turn": Message("iteration {number}"),
    "function": Message("function"),
    "round": Message("round"),
    # Roles of values at the beginning of a line of the transcript.
    "input_short": Message("in"),
    "output_short": Message("out"),
    "saved_short": Message("saved"),
    "grad_in_short": Message("arrives"),
    "grad_out_short": Message("gives"),
    "final_short": Message("keeps"),
    "before_short": Message("before"),
    "after_short": Message("after"),
    "zeros_short": Message("zeros for"),
    "skipped_short": Message("skipped"),
    "special": Message("your own op"),
    "pass": Message("{lane} {turn}"),
    "backwardOf": Message("{of} backward"),
    "backwardOfPart": Message("backward of {of}"),
    "partLayers": Message("{count} layers"),
    "partOps": Message("{count} operations"),
    "partMixed": Message("{count} layers and operations"),
    "badge_zeros": Message.in_context("badge", "zeros"),
    "badge_error": Message("error"),
    "badge_skipped": Message("skipped"),
    "badge_idle": Message("not run"),
    "badge_first_nan": Message("first NaN"),
    "badge_first_inf": Message("first Inf"),
    "badge_mark_not_inplace": Message("not in-place"),
    "badge_mark_non_differentiable": Message("non-differentiable"),
    "badge_materialize": Message("materialize: zeros"),
    "badge_no_materialize": Message("materialize: None"),
    "badge_dtype": Message("grad in dtype: True"),
    "badge_no_dtype": Message("grad in dtype: False"),
    # Description of a picture for screen readers.
    "pictureLane": Message("{lane}: {boxes}."),
    "pictureMore": Message("{lane}: {boxes} and {count} more."),
    "pictureSaved": Message("Values kept for backward: {count}."),
    "roundNumbers": Message("rounds {at}"),
    "roundsFromTo": Message("rounds {first} to {last}"),
    "roundNamed": Message("{round} ({names})"),
    "begins_nan": Message("the first NaN appears"),
    "begins_inf": Message("the first infinity appears"),
    "roundDiffers": Message("{round}: {differs}"),
    "roundsFirst": Message("the first round"),
    "roundsLast": Message("the last round"),
    "roundBefore": Message("before {round}"),
    "roundBetween": Message("between {one} and {other}"),
    "roundAfter": Message("after {round}"),
    "nothing": Message("nothing"),
}

WORDS = {**PAGE_WORDS, **WORDS_OF_PICTURES}


def say(key: str, lang: str) -> str:
    """Return a word in one language."""
    return WORDS[key].of(lang)


def words_of(keys: Mapping[str, str], lang: str) -> dict[str, str]:
    """Return some words in one language, under other names."""
    return {name: say(key, lang) for name, key in keys.items()}


@cache
def all_in(lang: str) -> dict[str, str]:
    """Return the words of the page in one language."""
    return {key: say(key, lang) for key in PAGE_WORDS}


def by_language() -> dict[str, dict[str, str]]:
    """Return the words of the page, by language."""
    return {lang: all_in(lang) for lang in languages()}
