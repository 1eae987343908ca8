"""Run first in the kernel of a lesson: predictions show their answers, players are pages."""

import html

from IPython.display import HTML, display

import viz
from minipaddle.exercises.outcomes import current_language
from minipaddle.exercises.predictions import Prediction

viz.set_output("frame")


def ask(self):
    self._given = self.truth  # what follows is shown to those who have answered
    rows = "".join(f"<li>{html.escape(each.of(current_language()))}</li>" for each in self.choices)
    question = html.escape(self.question.of(current_language()))
    display(HTML(f'<div class="question"><p>{question}</p><ul>{rows}</ul></div>'))


def compare(self):
    lang = current_language()
    words = "答案" if lang == "zh" else "Answer"
    texts = (self.words_for(self.truth).of(lang), self.because.of(lang))
    truth, because = map(html.escape, texts)
    summary = f"<summary>{words} · <code>{self.name}</code></summary>"
    display(
        HTML(f'<details class="answer">{summary}<p><b>{truth}</b></p><p>{because}</p></details>')
    )


Prediction.ask, Prediction.compare = ask, compare
