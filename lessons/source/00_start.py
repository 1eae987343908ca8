# %% [markdown] lang="en"
# # Start here
#
# Click into the grey cell below and press Shift+Enter: it runs, and shows the lessons, what you
# have done in each, and where to go on. Come back and run it again whenever you like.

# %% [markdown] lang="zh"
# # 从这里开始
#
# 点一下下面的灰色单元格，按 Shift+Enter 运行它，就会列出各课、每课做到了哪里、接下来做什么。
# 以后随时可以回来再运行一次。

# %%
from minipaddle import exercises

exercises.set_lang("en | zh")
exercises.show_progress()

# %% [markdown] lang="en"
# What you do is noted in one small file on this machine, and nowhere else: which checks you ran,
# which hints you read, what you predicted, and when. `exercises.export_progress("progress.csv")`
# writes it out, if you want to look at it or give it to somebody.

# %% [markdown] lang="zh"
# 你做过的事只记在这台机器上的一个小文件里，不会发给任何人：运行过哪些检查，看过哪些提示，
# 预测了什么，以及时间。想自己看看或交给别人，可以用
# `exercises.export_progress("progress.csv")` 导出。
