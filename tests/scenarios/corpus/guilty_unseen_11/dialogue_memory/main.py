# gradwatch-corpus: kind=graph-chain
# holder: self.bank | memory.bank | tracker.memory.bank | self.memory.bank | model.memory.bank | self.memory | tracker.memory | tagger.memory.bank
# first-bad: 1
"""Dialogue act tagging with a look back at the last six utterance states of each conversation."""
import torch
from torch import nn

from corpus import Conversations
from memory import StateMemory


class ActTagger(nn.Module):
    def __init__(self, vocab, acts, width=32, window=6, lanes=8):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(vocab, width), nn.ReLU())
        self.head = nn.Linear(width, acts)
        self.memory = StateMemory(lanes, width, window)

    def forward(self, words):
        state = self.encode(words)
        state = torch.add(state, self.memory.read(state), alpha=0.5)
        self.memory.push(state)
        return self.head(state)


def train(turns=200, lanes=8):
    torch.manual_seed(3)
    talks = Conversations(lanes=lanes, seed=9)
    tagger = ActTagger(vocab=talks.vocab, acts=talks.acts, lanes=lanes)
    optimizer = torch.optim.Adam(tagger.parameters(), lr=5e-3)
    right = seen = 0
    for turn in range(turns):
        words, act = talks.next_turn()
        logits = tagger(words)
        loss = nn.functional.cross_entropy(logits, act)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        right += (logits.argmax(1) == act).sum().item()
        seen += lanes
        if turn % 50 == 49:
            print(f"turn {turn + 1:3d}  loss {loss.item():.3f}  accuracy {right / seen:.3f}"
                  f"  states kept {tagger.memory.filled}")
            right = seen = 0


if __name__ == "__main__":
    train()
