import torch


class Runner:
    def __init__(self, model, bus, lr):
        self.model = model
        self.bus = bus
        self.opt = torch.optim.RMSprop(model.parameters(), lr=lr)

    def _fit(self, returns, realised):
        forecast = self.model(returns)
        qlike = (forecast.log() + realised / forecast).mean()
        self.opt.zero_grad()
        qlike.backward()
        self.opt.step()
        self.bus.emit("fit", qlike=qlike, level=float(realised.mean()))  # <- culprit
        return qlike.item()

    def run(self, source, epochs, per_epoch):
        for index in range(epochs):
            values = [self._fit(x, y) for x, y in source.windows(per_epoch)]
            self.bus.emit("epoch", index=index, mean=sum(values) / len(values))
