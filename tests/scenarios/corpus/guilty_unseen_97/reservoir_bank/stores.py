from collections import UserDict

import torch


class StorageBank(UserDict):
    """Water storage per basin.  Whatever is written is brought to one dtype and kept non-negative."""

    def __init__(self, dtype, initial):
        self.dtype = dtype
        super().__init__(initial)

    def __setitem__(self, key, value):
        value = torch.as_tensor(value).to(self.dtype)
        super().__setitem__(key, value)  # <- culprit

    def release(self, key, rate):
        return self[key] * rate
