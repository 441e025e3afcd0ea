import torch


class Fitter:
    def __init__(self, model, callbacks, lr):
        self.model, self.cb = model, callbacks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.shared, self.skip, self.stop, self.skipped = {}, False, False, 0
        self.loss = None

    def fit(self, stream, steps):
        for self.step_no, (x, y) in zip(range(steps), stream):
            self.loss = torch.nn.functional.smooth_l1_loss(self.model(x), y, beta=0.1)
            self.cb.on_loss(self, self.loss)
            self.opt.zero_grad()
            if self.skip:
                self.skipped += 1
                continue
            self.loss.backward()
            self.opt.step()
            self.cb.on_step(self)
            if self.step_no % 85 == 0:
                print(self.step_no, f"{self.shared['smooth'].item():.4f}")
            if self.stop:
                break
