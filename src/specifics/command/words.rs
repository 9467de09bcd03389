//! Word lists for commands: general words of shells and sentences, no words of any one conversation.

use crate::specifics::words::Words;

/// Names of code fences that hold shell lines.
pub(super) static SHELLS: Words = Words::new(
    "bash bat batch cmd console dos fish powershell ps1 pwsh sh shell shell-session terminal zsh",
);

/// Programs that people run.
pub(super) static PROGRAMS: Words = Words::new(
    "Copy-Item Get-ChildItem Get-Process Get-Service Install-Module Invoke-WebRequest New-Item \
     Remove-Item Restart-Service Set-ExecutionPolicy Test-NetConnection adb ansible \
     ansible-playbook apk apt apt-get awk aws az bash beancount biber bibtex black blkid brew btrfs \
     bun bundle bunx bzip2 caddy cargo cat cd certbot chgrp chkdsk chmod choco chown chronyc clang \
     clear cmake code composer conda convert cp createdb crontab ctest curl cut date dd \
     ddrescue defaults deno df diff dig direnv diskpart diskutil dism dmesg dnf docker \
     docker-compose dotnet dropdb du echo emacs esbuild eslint ethtool exiftool export fdisk ffmpeg \
     ffprobe file find fio firebase flake8 flask flatpak flutter flyctl free fsck g++ gcc gcloud \
     gdb gem gh git go gofmt gpg gradle grep gsutil gunicorn gunzip gzip head helm heroku hexo \
     hledger hostnamectl htop http hugo iconv ifconfig initdb ionic iostat ip ipconfig iptables \
     ipython java javac jekyll jest journalctl jq julia jupyter just k9s kill killall kubectl \
     kustomize latexdiff latexmk ledger less ln ls lsblk lscpu lsof lspci lsusb lualatex magick \
     make man mdadm mdbook mix mkdir mkfs mongo mongosh mount msbuild mv mvn mypy mysql mysqldump \
     nano nc net netlify netsh netstat next nft ng nginx ninja nix nix-shell nmap nmcli node nohup \
     npm nproc npx nslookup nvcc nvidia-smi nvim nvm objdump ollama open openssl pacman pandoc \
     parted passwd patch pdffonts pdflatex pdftotext perf perl pg_dump pg_restore pgbench php ping \
     pip pip3 pipenv pipx pkill pm2 pnpm podman poetry pre-commit prettier printf prisma ps psql \
     pulumi pwd py pyenv pytest python python3 qemu-img rails rake rclone reboot redis-cli restic \
     rg rm rmdir robocopy rsync ruby ruff runas rustc rustup sc scp sed serve service set sfc sfdx \
     sh shutdown skaffold smartctl snap sort source sqlite3 ss ssh ssh-add ssh-copy-id ssh-keygen \
     stat strace su sudo supabase svn swift sysctl systemctl tail tar taskkill tee terraform \
     tesseract test testdisk timedatectl tmux top touch traceroute tree tsc typst ufw ulimit umask \
     uname unzip uptime uv uvicorn uvx vagrant valgrind vault vercel vi vim virtualenv vite vmstat \
     watch wc webpack wget where which whisper whoami winget wrangler wsl xargs xcodebuild xelatex \
     yarn youtube-dl yt-dlp yum zfs zip zpool zsh zypper",
);

/// Programs that are everyday words as well: in a sentence they need a flag, a path or a file behind them.
pub(super) static EVERYDAY: Words = Words::new(
    "aws az black bun bundle cat cd clear code composer conda convert cut date defaults diff echo \
     export file find flask free gem go head helm http ip java julia just kill less make man mix \
     mount nano net next ng nginx node open patch perf perl ping prettier py python rails rake \
     reboot redis ruby sc screen serve service set shutdown snap sort source ss stat su swift tail \
     test time top touch tree vault vi watch where which zip",
);

/// Second words that make a program's name a command.
pub(super) static SUBCOMMANDS: Words = Words::new(
    "add analyze apply attach audit autoremove bench bisect blame branch build cache check checkout \
     cherry-pick clean clippy clone commit compose config create daemon-reload delete deploy \
     describe dev diff disable doc down edit enable exec export fetch fix fmt freeze generate get \
     image images import info init inspect install lint list log login logout logs merge migrate \
     new plan port-forward prune ps publish pull push rebase reload remove reset restart restore \
     revert rm rmi rollback rollout run scale search serve server set shell show start stash status \
     stop switch sync tag test top tree uninstall up update upgrade version volume watch",
);

/// Words in front of a command that say that it is one.
pub(super) static VERBS: Words = Words::new(
    "call called command did do enter entered execute executed executing invoke issue launch paste \
     ran rerun run running runs start tried try trying type typed typing use used using via with",
);

/// Words at which a command in the middle of a sentence ends.
pub(super) static STOPPERS: Words = Words::new(
    "a after afterwards again alone already also always am an and any are as at because before but \
     by came can can't complained complains could did didn't do does doesn't dry each every exited \
     exits failed fails finally finished finishes first fixed fixes for found from gave gives got \
     had hang hangs has have helped helps here how i i'm if in inside instead into is isn't it it's its \
     itself just later like lists locally manually may me might my never no not now of often on \
     once only or our outside package packages passed passes please printed printing prints reported reports return returned \
     returns runs said same saw say says should showed shows since so still succeeded succeeds \
     takes than that the their them then there these they this through to too took twice until us \
     was we went were when where whether which while who why will with without worked works would \
     yes yet you your",
);
