# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden | hc
# first-bad: 1
# notice: 0
"""Character model over marine radio transcripts, read in consecutive chunks."""
import logging

import torch
from torch import nn

from model import CharModel
from text import chunks, vocabulary

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("radio")

torch.set_num_threads(1)
torch.manual_seed(13)


def train(model, data, vocab, lr=5e-3):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    dropped = 0
    for n, (x, y) in enumerate(data):
        opt.zero_grad()
        logits = model(x)
        loss = criterion(logits.reshape(-1, len(vocab)), y.reshape(-1))
        try:
            loss.backward()
        except RuntimeError as exc:
            dropped += 1
            if dropped == 1:
                log.warning("chunk %d dropped: %s", n, str(exc)[:60])
            model.forget()
            continue
        opt.step()
        if n % 20 == 0:
            log.info("chunk %d loss %.3f", n, loss.item())
    log.info("dropped %d chunks", dropped)


vocab = vocabulary()
train(CharModel(len(vocab)), chunks(vocab, count=100), vocab)
