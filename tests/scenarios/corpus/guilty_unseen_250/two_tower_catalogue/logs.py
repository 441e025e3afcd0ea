import torch


class ListeningLogs:
    def __init__(self, options):
        self.options = options
        self.track_features = torch.randn(options.tracks, options.audio_dim)
        self.bridge = torch.randn(options.audio_dim, options.listener_dim)

    def sample(self):
        tracks = torch.randint(0, self.options.tracks, (self.options.batch,))
        listeners = self.track_features[tracks] @ self.bridge
        listeners = listeners + torch.randn_like(listeners)
        return listeners, tracks
