import copy

import torch


class History:
    def __init__(self, every):
        self.curve, self.rows, self.every = [], [], every

    def after_step(self, tr):
        self.curve.append(tr.last["loss"])
        self.rows.append({"n": tr.n, **tr.last, "lr": tr.opt.param_groups[0]["lr"]})
        if tr.n % self.every == 0:
            w = self.rows[-self.every:]
            print(f"step {tr.n} loss {sum(r['loss'] for r in w) / len(w):.4f} acc {sum(r['acc'] for r in w) / len(w):.3f}")


class BestK:
    def __init__(self, k):
        self.k, self.kept = k, {}

    def offer(self, step, score, net):
        self.kept[step] = (score, copy.deepcopy(net.state_dict()))
        if len(self.kept) > self.k:
            del self.kept[min(self.kept, key=lambda s: self.kept[s][0])]


class Evaluate:
    def __init__(self, held, every, best):
        self.held, self.every, self.best = held, every, best
        self.scores = []

    def after_step(self, tr):
        if tr.n % self.every:
            return
        x, y = self.held
        tr.net.eval()
        with torch.inference_mode():
            out = torch.cat([tr.net(b) for b in x.split(40)])
            self.scores.append((out.argmax(1) == y).float().mean())
        tr.net.train()
        self.best.offer(tr.n, self.scores[-1].item(), tr.net)
