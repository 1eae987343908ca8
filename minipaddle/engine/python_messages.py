"""Chinese translations of the messages of Python that learners meet most.

Messages of Python are English only, so they are recognized by their texts; a message that is not
in the table stays English.
"""

from __future__ import annotations

import re

from ..messages import Message, Text

MESSAGES = (
    (
        r"(\S+\(\)) takes (?:from )?([\d to]+?) positional arguments? but (\d+) w(?:as|ere) given",
        r"\1 接受 \2 个位置参数，却传入了 \3 个（实例方法的 self、PyLayer 的 ctx 也算一个）",
    ),
    (
        r"(\S+\(\)) missing \d+ required (?:positional|keyword-only) arguments?: (.+)",
        r"\1 缺少参数 \2",
    ),
    (r"(\S+\(\)) got an unexpected keyword argument ('\w+').*", r"\1 没有名为 \2 的参数"),
    (r"(\S+\(\)) got multiple values for argument ('\w+')", r"\1 的参数 \2 被传入了多次"),
    (r"name ('\w+') is not defined.*", r"名字 \1 没有定义"),
    (
        r"cannot access local variable ('\w+') where it is not associated with a value",
        r"局部变量 \1 还没有赋值就被使用",
    ),
    (r"('\w+') object has no attribute ('\w+').*", r"\1 对象没有属性 \2"),
    (
        r"not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)",
        r"解包需要 \1 个值，实际只有 \2 个",
    ),
    (
        r"too many values to unpack \(expected (\d+)(?:, got \d+)?\)",
        r"解包只需要 \1 个值，实际更多",
    ),
    (r"cannot unpack non-iterable (\w+) object", r"不能解包 \1 对象"),
    (r"('\w+') object is not subscriptable", r"\1 对象不能用下标访问"),
    (r"('\w+') object is not callable", r"\1 对象不能被调用"),
    (r"('\w+') object is not iterable", r"\1 对象不能遍历"),
    (
        r"unsupported operand type\(s\) for (\S+): ('\S+') and ('\S+')",
        r"\2 与 \3 之间不支持运算 \1",
    ),
    (r"(?:float |integer )?division by zero", "除数是 0"),
)
WRONG_KIND = (
    r"could not convert|unsupported operand|not supported|unhashable|must be real number"
    r"|not (?:subscriptable|iterable|callable)|has no (?:len|attribute)"
)
# (pattern of a message of Python or NumPy about arguments, its meaning in our words)
MEANINGS = (
    (
        r"zero-size array|empty sequence|arg is an empty",
        Message("there are no elements to compute with."),
    ),
    (
        r"negative dimensions|repeats may not contain negative|negative count",
        Message("a size or a count is negative."),
    ),
    (
        r"array is too big|[Mm]aximum allowed|Unable to allocate|[Mm]aximum supported dimension",
        Message("what is asked for is too large to be made."),
    ),
    (
        r"int(?:eger)? too large|out of bounds for u?int|cannot fit 'int'|cannot convert float",
        Message("a number is too large."),
    ),
    (r"axis -?\d+ is out of bounds", Message("there is no such axis.")),
    (r"index -?\d+ is out of bounds", Message("an index lies outside the axis that it indexes.")),
    (
        r"cannot reshape|could not be broadcast|not aligned|shape mismatch|mismatch in its core",
        Message("the shapes do not fit together."),
    ),
    (WRONG_KIND, Message("an argument is of a kind that cannot be used here.")),
    (r"division by zero|modulo by zero", Message("a number is divided by 0.")),
)
_OF_A_CALL = r"\S+\(\) (?:takes|missing|got) "
_LIST_SEPARATOR = r",? and (?=')|, (?=')"  # compiled on use: import stays quick


def in_chinese(message: str) -> str:
    """Return a known message in Chinese, another one unchanged.

    >>> in_chinese("f() missing 2 required positional arguments: 'a' and 'b'")
    "f() 缺少参数 'a'、'b'"
    >>> in_chinese("f() takes from 1 to 2 positional arguments but 3 were given").split("，")[0]
    'f() 接受 1 到 2 个位置参数'
    """
    for english, chinese in MESSAGES:
        if found := re.fullmatch(english, message, re.DOTALL):
            return re.sub(_LIST_SEPARATOR, "、", found.expand(chinese)).replace(" to ", " 到 ")
    return message


def in_our_words(error: BaseException) -> Message:
    """Return the meaning of an error of Python or NumPy about arguments, in both languages.

    >>> in_our_words(ValueError("negative dimensions are not allowed")).en
    'a size or a count is negative.'
    """
    message = str(error)
    if re.match(_OF_A_CALL, message):  # a function was called with wrong arguments
        return Text(message, in_chinese(message))
    if isinstance(error, MemoryError):
        message = "Unable to allocate"
    for raw, meaning in MEANINGS:
        if re.search(raw, message):
            return meaning
    return Message("this cannot be computed with these arguments.")
