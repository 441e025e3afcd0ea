import torch


class Trainer:
    def __init__(self, module, averager, callbacks):
        self.module, self.averager, self.cb = module, averager, callbacks
        self.opt = torch.optim.AdamW(module.parameters(), lr=2e-3)

    def fit(self, data, epochs, iters):
        for epoch in range(epochs):
            self.module.train()
            for _ in range(iters):
                outputs = self.module.training_step(data.batch(16))
                self.opt.zero_grad()
                outputs["loss"].backward()
                self.opt.step()
                self.averager.update(self.module)
                self.cb.on_batch_end(outputs)
            score = self.averager.shadow.evaluate(data.batch(128))
            self.cb.on_epoch_end(epoch, score, self.averager.shadow)
