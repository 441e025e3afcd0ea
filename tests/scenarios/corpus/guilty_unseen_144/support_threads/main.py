# gradwatch-corpus: kind=second-backward
# holder: self.ctx.hidden | engine.ctx.hidden
# first-bad: 1
# notice: 0
import torch

torch.set_num_threads(1)
from torch import nn

from engine import Engine
from hooks import Printer, ResetHidden

torch.manual_seed(4)
VOCAB, LANES, SPAN = 18, 6, 8


class ThreadLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 10)
        self.gru = nn.GRU(10, 14)
        self.out = nn.Linear(14, VOCAB)

    def forward(self, tok, hidden):
        y, hidden = self.gru(self.emb(tok), hidden)
        return self.out(y), hidden


text = (torch.arange(SPAN * 40 + 1).unsqueeze(1) * torch.arange(1, LANES + 1)) % VOCAB


def conversations():
    for i in range(0, len(text) - 1, SPAN):
        yield text[i:i + SPAN], text[i + 1:i + SPAN + 1]


model = ThreadLM()
engine = Engine(model, torch.optim.Adam(model.parameters(), 3e-3), [ResetHidden(), Printer(10)])
engine.run(conversations, epochs=5)
