class Visualizer:
    def __init__(self, display_freq):
        self.display_freq = display_freq
        self.pages = {}

    def maybe_display(self, visuals, epoch, it):
        if it % self.display_freq == 0:
            self.pages[(epoch, it)] = visuals  # <- culprit

    def print_losses(self, epoch, losses):
        print(f"(epoch {epoch})", " ".join(f"{k}: {v:.3f}" for k, v in losses.items()))

    def write_index(self):
        rows = [f"{key}:{len(v)} images" for key, v in self.pages.items()]
        print(len(rows), "pages;", rows[-1])
