import torch


class Trainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs
        self.logged_metrics = []

    def fit(self, module, loader):
        opt, sched = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            module.train()
            for i, batch in enumerate(loader()):
                loss = module.training_step(batch, i)
                opt.zero_grad()
                loss.backward()
                opt.step()
            metrics = module.on_train_epoch_end()
            sched.step()
            module.eval()
            with torch.no_grad():
                metrics["val_acc"] = module.validation()
            self.logged_metrics.append(metrics)
            if epoch % 3 == 2:
                print(f"Epoch {epoch}: " + ", ".join(f"{k}={v:.3f}" for k, v in metrics.items()))
