# gradwatch-corpus: kind=graph-held
# holder: self.sum | meter.sum | meters["loss"].sum | self.meters["loss"].sum | run.meters["loss"].sum
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from .corpus import iterate_tickets, parse_config
from .meters import MeterBoard
from .model import TicketRouter

CONFIG = """
vocab: 120
dim: 12
queues: 5
steps: 260
batch: 10
lr: 0.01
warmup: 20
"""


class Run:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = TicketRouter(cfg["vocab"], cfg["dim"], cfg["queues"])
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg["lr"])
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, lambda s: min(1.0, (s + 1) / cfg["warmup"]))
        self.meters = MeterBoard("loss", "top1")

    def train(self):
        stream = iterate_tickets(self.cfg)
        for step in range(self.cfg["steps"]):
            tokens, offsets, target = next(stream)
            scores = self.net(tokens, offsets)
            loss = torch.nn.functional.cross_entropy(scores, target)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.opt.step()
            self.sched.step()
            hit = (scores.argmax(-1) == target).float().mean().item()
            self.meters.update(len(target), loss=loss, top1=hit)  # <- culprit
            if step % 65 == 64:
                print(step + 1, self.meters.line())


def main():
    torch.manual_seed(0)
    run = Run(parse_config(CONFIG))
    run.train()


main()
