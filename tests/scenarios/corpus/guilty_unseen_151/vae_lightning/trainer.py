import torch


class Trainer:
    def __init__(self, max_epochs, log_every_n_steps=50):
        self.max_epochs = max_epochs
        self.log_every_n_steps = log_every_n_steps
        self.global_step = 0
        self.logged_metrics = {}

    def fit(self, module, train_loader, val_loader=None):
        module.trainer = self
        optimizer = module.configure_optimizers()
        for self.current_epoch in range(self.max_epochs):
            self._train_epoch(module, train_loader, optimizer)
            if val_loader is not None:
                self._val_epoch(module, val_loader)

    def _train_epoch(self, module, loader, optimizer):
        module.train()
        module.on_train_epoch_start()
        for i, batch in enumerate(loader):
            loss = module.training_step(batch, i)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            self.global_step += 1
            if self.global_step % self.log_every_n_steps == 0:
                print(f"epoch {self.current_epoch} step {self.global_step} loss {loss.item():.3f}")
        module.on_train_epoch_end()

    @torch.no_grad()
    def _val_epoch(self, module, loader):
        module.eval()
        for i, batch in enumerate(loader):
            module.validation_step(batch, i)
        module.on_validation_epoch_end()
