import torch


class Engine:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss_function = torch.nn.MSELoss()

    def start_epoch(self, batch):
        self.model.train()
        self.model.init_hidden(batch)

    def run(self, data):
        total, n = 0.0, 0
        for seq, labels in data:
            self.opt.zero_grad()
            pred = self.model(seq)
            single_loss = self.loss_function(pred, labels)
            single_loss.backward()
            self.opt.step()
            total += single_loss.item()
            n += 1
        return total / n

    @torch.no_grad()
    def score(self, data):
        self.model.eval()
        self.model.init_hidden(1)
        errs = [self.loss_function(self.model(s), l).item() for s, l in data]
        return sum(errs) / len(errs)
