import torch


def log_flow_error(simulated, observed):
    return (torch.log1p(simulated) - torch.log1p(observed)).square().mean()


class Calibration:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def update(self, season):
        simulated = self.model(season)
        error = log_flow_error(simulated, season.flow)
        self.optimizer.zero_grad()
        error.backward()
        self.optimizer.step()
        return error.item()
