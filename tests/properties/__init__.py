"""What must hold in every position and along every line of play, searched with hypothesis."""
