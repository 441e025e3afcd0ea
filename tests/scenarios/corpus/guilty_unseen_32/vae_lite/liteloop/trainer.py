import torch


class LiteTrainer:
    def __init__(self, max_epochs=1, gradient_clip_val=5.0):
        self.max_epochs = max_epochs
        self.gradient_clip_val = gradient_clip_val
        self.current_epoch = 0
        self.global_step = 0
        self.num_batches = 0

    def fit(self, module, loader):
        module.trainer = self
        self.num_batches = len(loader)
        optimizer = module.configure_optimizers()
        module.on_fit_start()
        for self.current_epoch in range(self.max_epochs):
            module.train()
            module.on_train_epoch_start()
            for idx, batch in enumerate(loader):
                self._run_batch(module, optimizer, batch, idx)
            module.on_train_epoch_end()

    def _run_batch(self, module, optimizer, batch, idx):
        out = module.training_step(batch, idx)
        loss = out["loss"] if isinstance(out, dict) else out
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), self.gradient_clip_val)
        optimizer.step()
        self.global_step += 1
        module.on_train_batch_end(out, idx)  # <- culprit
