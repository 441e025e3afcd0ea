import torch

from forecaster import HORIZONS, sample


class Runner:
    def __init__(self, model, curve, recorder, record_every):
        self.model = model
        self.curve = curve
        self.recorder = recorder
        self.record_every = record_every
        self.opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
        self.steps = 0

    def one_step(self):
        window, target = sample(self.curve, self.model.past)
        err = (self.model(window) - target).abs().mean(0)
        loss = err.sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        if self.steps % self.record_every == 0:
            for h, e in zip(HORIZONS, err):
                self.recorder(h, e)  # <- culprit
        self.steps += 1

    def run_fold(self, fold, weeks, steps):
        for week in range(weeks):
            for _ in range(steps):
                self.one_step()
            self.recorder.flip()
            rep = self.recorder.report()
        print(f"fold {fold}", {f"+{h}h": round(v, 3) for h, v in rep.items()})
