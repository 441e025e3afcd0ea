import torch
from torch import nn

from events import StepEnd, TrainEnd


def fit(model, gen, bus, steps, lr):
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    ctc = nn.CTCLoss(zero_infinity=True)
    for step in range(steps):
        x, targets, lens = gen.sample()
        logp = model(x)
        in_lens = torch.full((x.size(0),), logp.size(0), dtype=torch.long)
        loss = ctc(logp, targets, in_lens, lens)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        bus.emit(StepEnd(step, {"ctc": loss, "width": x.size(-1)}))  # <- culprit
    bus.emit(TrainEnd(steps))
