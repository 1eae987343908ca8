# %% [markdown] lang="en"
# # Start here
#
# Click into the grey cell below and press Shift+Enter: it runs, and shows the lessons, what you
# have done in each, and where to go on. Come back and run it again whenever you like.

# %% [markdown] lang="zh"
# # 从这里开始
#
# 点击下面的灰色单元格，按 Shift+Enter 运行它，就会列出各课、每课做到了哪里、接下来做什么。
# 以后随时可以回来再运行一次。

# %%
from minipaddle import exercises

exercises.set_lang("en | zh")
exercises.show_progress()

# %% [markdown] lang="en"
# ## The way
#
# Each lesson takes 30 to 45 minutes, and says at its beginning what it needs of earlier ones.
#
# | Lesson | What you do in it |
# |---|---|
# | 01_one_tanh | watch every step of a small computation, and write two backward functions |
# | 02_leaves | find out which tensors get a gradient, and stop one on purpose |
# | 03_the_tape | build automatic differentiation in about sixty lines, and read the real one |
# | 04_order_and_sums | see where gradients are added up, and what follows from it |
# | 05_three_rules | break each rule on purpose, and read the errors |
# | 06_context | hand anything from forward to backward, and say what a layer does |
# | 07_right_gradient | check a gradient, follow a NaN to its source, hunt a hidden mistake |
# | 08_in_the_wild | write four layers that people use in earnest |
# | 09_training | follow a training loop round by round, and know its faults by their curves |
# | 10_programs | write a network down as a Program, and run it |
# | 11_py_func | put NumPy, and a backward of your own, into a Program |
# | 12_train_for_real | train a LeNet and a small transformer |
# | 13_devices | see what moves between CPU and GPU, and when; no GPU is needed |
# | 14_real_paddle | run the same files with real Paddle, see what differs, and share a training out |
# | 15_through_time | follow a gradient through a recurrent net, clip it, and open an LSTM's forget gate |
# | 16_gradients_of_gradients | differentiate twice, train with a gradient penalty, make a PyLayer fit for it |

# %% [markdown] lang="zh"
# ## 怎么走
#
# 每一课 30 到 45 分钟，开头会说明要用到前面哪些内容。
#
# | 课 | 这一课里你做什么 |
# |---|---|
# | 01_one_tanh | 一步步地看一小段计算，再写两个反向函数 |
# | 02_leaves | 弄清楚哪些 Tensor 会得到梯度，并有意让梯度停下 |
# | 03_the_tape | 用六十行左右写出一个自动微分，再去读真正的那个 |
# | 04_order_and_sums | 看梯度在哪里相加，由此又会发生什么 |
# | 05_three_rules | 有意打破每一条规则，读懂报错 |
# | 06_context | 从 forward 向 backward 传递任何东西，让一个层说明自己的情况 |
# | 07_right_gradient | 检验梯度，找到 NaN 产生的地方，找出藏起来的错误 |
# | 08_in_the_wild | 写四个真有人用的层 |
# | 09_training | 一轮一轮地看训练循环，从曲线认出它的毛病 |
# | 10_programs | 把一个网络写成 Program，再运行它 |
# | 11_py_func | 把 NumPy 和自己写的反向放进 Program |
# | 12_train_for_real | 训练一个 LeNet 和一个小 transformer |
# | 13_devices | 看数据什么时候在 CPU 和 GPU 之间移动；不需要 GPU |
# | 14_real_paddle | 用真正的 Paddle 运行同样的文件，看看有什么不同，再把一次训练分给几个进程 |
# | 15_through_time | 跟着梯度穿过循环网络，裁剪它，再打开 LSTM 的遗忘门 |
# | 16_gradients_of_gradients | 求两次导，用梯度惩罚来训练，写出能求两次导的 PyLayer |

# %% [markdown] lang="en"
# What you do is noted in one small file on this machine, and nowhere else: which checks you ran,
# which hints you read, what you predicted, and when. `exercises.export_progress("progress.csv")`
# writes it out, if you want to look at it or give it to somebody.

# %% [markdown] lang="zh"
# 你做过的事只记在这台机器上的一个小文件里，不会发给任何人：运行过哪些检查，看过哪些提示，
# 预测了什么，以及时间。想自己看看或交给别人，可以用
# `exercises.export_progress("progress.csv")` 导出。
