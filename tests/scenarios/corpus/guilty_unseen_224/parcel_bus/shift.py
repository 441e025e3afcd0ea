import torch
from torch.nn.functional import huber_loss


class ShiftTrainer:
    def __init__(self, model, depot, bus):
        self.model = model
        self.depot = depot
        self.bus = bus
        self.opt = torch.optim.Adam(model.parameters(), lr=0.01)

    def file_report(self, stop, minutes, eta):
        late = (minutes - eta).clamp(min=0)  # <- culprit

        def line():
            return f"stop {stop:3d}: {late.mean().item() * 30:5.2f} min late on average"

        self.bus.defer(line)  # <- culprit

    def run(self, stops, batch):
        for stop in range(stops):
            src, dst, hour, minutes = self.depot.batch(batch)
            eta = self.model(src, dst, hour)
            loss = huber_loss(eta, minutes)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.bus.publish("batch", stop=stop, minutes=minutes, eta=eta)  # <- culprit
        return self.bus.flush()
