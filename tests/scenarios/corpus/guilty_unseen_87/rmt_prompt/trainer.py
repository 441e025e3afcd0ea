import itertools
import math

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, stream, args):
        self.model, self.stream, self.args = model, stream, args
        train = [p for p in model.parameters() if p.requires_grad]
        self.opt = torch.optim.AdamW(train, lr=args.lr)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, lambda s: min(1.0, (s + 1) / 20))

    def curriculum(self, step):
        # first isolated segments, then whole documents
        self.model.cell.carry = step >= self.args.single_segment_steps

    def fit(self):
        avg = 0.0
        for step, (x, y) in enumerate(itertools.islice(self.stream, self.args.steps)):
            self.curriculum(step)
            logits = self.model(x)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            self.opt.zero_grad(set_to_none=True)
            loss.backward(retain_graph=True)  # memory spans segments
            self.opt.step()
            self.sched.step()
            avg = loss.item() if step == 0 else 0.95 * avg + 0.05 * loss.item()
            if step % 40 == 39:
                print(f"step {step + 1} ppl {math.exp(avg):.2f}")
