import torch


class CalibrationRun:
    def __init__(self, catchment, record, lr):
        self.catchment = catchment
        self.record = record
        self.opt = torch.optim.Adam(catchment.parameters(), lr=lr)
        self.history = {"rmse": [], "volume": []}

    def event(self, i):
        rain, observed = self.record[i]
        simulated = self.catchment(rain)
        err = simulated - observed
        mse = (err ** 2).mean()
        volume = err.sum() ** 2 / len(rain) ** 2
        loss = mse + 0.1 * volume
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        self.history["rmse"].append(mse.item() ** 0.5)
        self.history["volume"].append(volume.item())

    def go(self):
        for i in range(len(self.record)):
            self.event(i)
            if i % 20 == 0:
                print(f"event {i:3d} rmse {self.history['rmse'][-1]:.4f}")
