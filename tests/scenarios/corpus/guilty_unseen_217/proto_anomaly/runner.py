import itertools

import torch


class Runner:
    def __init__(self, enc, dec, objective):
        self.enc, self.dec, self.objective = enc, dec, objective
        params = itertools.chain(enc.parameters(), dec.parameters())
        self.opt = torch.optim.RMSprop(list(params), lr=1e-3)

    def run(self, feed, steps):
        for step in range(steps):
            x, regime = feed()
            z = self.enc(x)
            loss = self.objective(x, z, self.dec(z), regime, step)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 10 == 0:
                print(f"step {step:3d} loss {loss.item():.4f}")
