# gradwatch-corpus: kind=none
"""Survival model for pump failures; step records pass through a buffering log handler."""
import io
import logging
import logging.handlers

import torch
from torch import nn

torch.manual_seed(71)


def build_logger(capacity):
    sink = logging.StreamHandler(io.StringIO())
    sink.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    buffered = logging.handlers.MemoryHandler(capacity, flushLevel=logging.ERROR, target=sink)
    logger = logging.getLogger("pumps.train")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(buffered)
    return logger, buffered, sink


class Hazard(nn.Module):
    def __init__(self, covariates=8, bins=10):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(covariates, 40), nn.ReLU(), nn.Linear(40, bins))

    def forward(self, x):
        return self.net(x)


def survival_nll(logits, time_bin, observed):
    log_h = nn.functional.logsigmoid(logits)
    log_s = nn.functional.logsigmoid(-logits)
    before = torch.arange(logits.shape[1])[None] < time_bin[:, None]
    alive = (log_s * before).sum(1)
    at = torch.where(observed, log_h.gather(1, time_bin[:, None]).squeeze(1),
                     log_s.gather(1, time_bin[:, None]).squeeze(1))
    return -(alive + at)


def pumps(n=64):
    x = torch.randn(n, 8)
    risk = (x[:, 0] + 0.5 * x[:, 1]).exp()
    time = torch.distributions.Exponential(risk).sample()
    time_bin = (time * 4).long().clamp_max(9)
    observed = torch.rand(n) < 0.7
    return x, time_bin, observed


def main():
    logger, buffered, sink = build_logger(capacity=60)
    model = Hazard()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
    for step in range(640):
        x, time_bin, observed = pumps()
        nll = survival_nll(model(x), time_bin, observed)
        loss = nll.mean()
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        logger.debug("step %d loss %s", step, loss)
        if norm > 1.5:
            logger.warning("step %d norm %.3f worst %s", step, norm.item(), nll.max())
        if step % 160 == 159:
            logger.error("checkpoint at %d", step)
            text = sink.stream.getvalue()
            print(step, "lines", text.count("\n"), "waiting", len(buffered.buffer), f"loss {loss.item():.4f}")
            sink.setStream(io.StringIO())
    buffered.close()


if __name__ == "__main__":
    main()
