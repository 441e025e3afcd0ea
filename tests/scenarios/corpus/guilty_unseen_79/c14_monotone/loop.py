import torch


class Trainer:
    def __init__(self, model, callbacks, lr):
        self.model = model
        self.callbacks = callbacks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.logs = {}
        self.epoch = 0
        self.held_out = None

    def call(self, name, *args):
        for cb in self.callbacks:
            getattr(cb, name)(self, *args)

    def batches(self, data, batch):
        order = torch.randperm(len(data))[: len(data) // batch * batch]
        for idx in order.view(-1, batch):
            yield data.pick(idx)

    def train_batch(self, cal, lab, c14):
        nll = self.model.nll(cal, lab, c14)
        self.opt.zero_grad()
        nll.backward()  # <- culprit
        self.opt.step()
        return nll.item()

    @torch.no_grad()
    def validate(self):
        return self.model.nll(*self.held_out).item()

    def fit(self, data, epochs, batch):
        self.held_out = data.pick(torch.arange(0, len(data), 7))
        for self.epoch in range(epochs):
            self.call("epoch_begin")
            for item in self.batches(data, batch):
                self.call("batch_end", self.train_batch(*item))
            self.call("epoch_end")
