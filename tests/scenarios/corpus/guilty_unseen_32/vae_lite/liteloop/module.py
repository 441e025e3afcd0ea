import torch.nn as nn


class LiteModule(nn.Module):
    """Base class for user models."""

    def __init__(self):
        super().__init__()
        self.trainer = None
        self.training_step_outputs = []

    # ---- to be overridden -------------------------------------------------
    def training_step(self, batch, batch_idx):
        raise NotImplementedError

    def configure_optimizers(self):
        raise NotImplementedError

    # ---- hooks ------------------------------------------------------------
    def on_fit_start(self):
        pass

    def on_train_epoch_start(self):
        pass

    def on_train_batch_end(self, outputs, batch_idx):
        self.training_step_outputs.append(outputs)  # <- culprit

    def on_train_epoch_end(self):
        pass
