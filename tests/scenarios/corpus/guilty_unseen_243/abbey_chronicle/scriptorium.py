import torch
from torch import nn

MEMORIES = {}


def memory(kind):
    def inner(cls):
        MEMORIES[kind] = cls
        return cls

    return inner


class SlotMemory(nn.Module):
    def __init__(self, rule):
        super().__init__()
        self.rule = rule

    def recall(self, question):
        raise NotImplementedError

    def inscribe(self, address, content):
        raise NotImplementedError


@memory("fading")
class FadingFolios(SlotMemory):
    def __init__(self, rule):
        super().__init__(rule)
        self.fade = rule["fade"]
        self.folios = 0.1 * torch.randn(rule["slots"], rule["width"])

    def recall(self, question):
        affinity = question @ self.folios.t() / question.shape[1] ** 0.5
        return torch.softmax(affinity, dim=1) @ self.folios

    def inscribe(self, address, content):
        fresh = address.t() @ content / content.shape[0]
        self.folios = self.fade * self.folios + fresh  # <- culprit


class Scribe(nn.Module):
    def __init__(self, rule):
        super().__init__()
        self.memory = MEMORIES[rule["memory"]](rule)
        self.ask = nn.Linear(rule["lexicon"], rule["width"])
        self.place = nn.Linear(rule["lexicon"], rule["slots"])
        self.ink = nn.Linear(rule["lexicon"], rule["width"])
        self.verdict = nn.Linear(2 * rule["width"], rule["offices"])

    def forward(self, words):
        question = torch.tanh(self.ask(words))
        address = torch.softmax(self.place(words), dim=1)
        content = torch.tanh(self.ink(words))
        self.memory.inscribe(address, content)
        remembered = self.memory.recall(question)
        return self.verdict(torch.cat([question, remembered], dim=1))
